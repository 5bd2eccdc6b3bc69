import { Effect, Schema, Stream } from "effect"
import type { RequestBody } from "./RequestBody.ts"

export class BodyTooLarge extends Schema.TaggedError<BodyTooLarge>()("BodyTooLarge", { maxBytes: Schema.Finite }) {}

/** The client disconnected before it had sent the whole body. */
export class BodyAborted extends Schema.TaggedError<BodyAborted>()("BodyAborted", { receivedBytes: Schema.Finite }) {}

/** The body has reached a bound; see `BodyBounds`. The connection does not read the rest of it. */
export class BodyRefused extends Schema.TaggedError<BodyRefused>()("BodyRefused", {
  bound: Schema.Literals(["pieces", "process", "address", "key"]),
}) {}

export type BodyError = BodyAborted | BodyTooLarge | BodyRefused

/** Fails with `BodyTooLarge` as soon as the declared length or the received bytes exceed `maxBytes`. */
export const readAll = (body: RequestBody, maxBytes: number): Effect.Effect<ArrayBuffer, BodyError> =>
  Effect.callback((resume) => {
    if (body.declaredLength !== undefined && body.declaredLength > maxBytes) return resume(Effect.fail(new BodyTooLarge({ maxBytes })))
    const cancel = body.wait(() => {
      const { bytes = nothing, state } = body.takeLast()
      if (state === "refused" || state === "aborted") resume(Effect.fail(failureOf(body)))
      else if (bytes.length > maxBytes) resume(Effect.fail(new BodyTooLarge({ maxBytes })))
      else resume(Effect.succeed(wholeBuffer(bytes)))
    }, maxBytes)
    return Effect.sync(() => cancel())
  })

/** A slow consumer slows the client down. Fails with `BodyTooLarge` if the body exceeds `maxBytes`. */
export const readStream = (body: RequestBody, maxBytes: number): Stream.Stream<Uint8Array, BodyError> =>
  Stream.unfold(0, (before) =>
    Effect.flatMap(readSome(body), (bytes) => {
      if (bytes === undefined) return Effect.undefined
      const length = before + bytes.length
      return length > maxBytes ? Effect.fail(new BodyTooLarge({ maxBytes })) : Effect.succeed([bytes, length] as const)
    }),
  )

/** Undefined at the end of the body. */
const readSome = (body: RequestBody): Effect.Effect<Uint8Array | undefined, BodyAborted | BodyRefused> =>
  Effect.callback((resume) => {
    let cancel = () => {}
    const onNews = () => {
      const { bytes, state } = body.take()
      if (bytes !== undefined) resume(Effect.succeed(bytes))
      else if (state === "ended") resume(Effect.undefined)
      else if (state === "open") cancel = body.wait(onNews)
      else resume(Effect.fail(failureOf(body)))
    }
    cancel = body.wait(onNews)
    return Effect.sync(() => cancel())
  })

const nothing = new Uint8Array(0)

const failureOf = (body: RequestBody): BodyAborted | BodyRefused =>
  body.refusal === undefined ? new BodyAborted({ receivedBytes: body.receivedBytes }) : new BodyRefused({ bound: body.refusal })

/** Copies only if the underlying buffer is larger, as for a chunked body. */
const wholeBuffer = (bytes: Uint8Array): ArrayBuffer => {
  const { buffer, byteLength } = bytes
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? buffer : new Uint8Array(bytes).buffer
}
