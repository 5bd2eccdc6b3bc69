// Reads a request body, either as a whole or as a stream, up to a size limit.
import { Effect, Schema, Stream } from "effect"
import type { RequestBody } from "./RequestBody.ts"

/** Error: the request body exceeds the size limit. */
export class BodyTooLarge extends Schema.TaggedError<BodyTooLarge>()("BodyTooLarge", { maxBytes: Schema.Finite }) {}

/** Error: the client disconnected before it had sent the whole request body. */
export class BodyAborted extends Schema.TaggedError<BodyAborted>()("BodyAborted", { receivedBytes: Schema.Finite }) {}

export type BodyError = BodyAborted | BodyTooLarge

/**
 * Reads the whole request body. Fails with `BodyTooLarge` as soon as the declared length or the received bytes exceed
 * `maxBytes`.
 */
export const readAll = (body: RequestBody, maxBytes: number): Effect.Effect<ArrayBuffer, BodyError> =>
  Effect.callback((resume) => {
    if (body.declaredLength !== undefined && body.declaredLength > maxBytes) return resume(Effect.fail(new BodyTooLarge({ maxBytes })))
    const chunks: Array<Uint8Array> = []
    let length = 0
    let cancel = () => {}
    const onNews = () => {
      const { bytes, state } = body.take()
      if (bytes !== undefined) {
        chunks.push(bytes)
        length += bytes.length
      }
      if (length > maxBytes) resume(Effect.fail(new BodyTooLarge({ maxBytes })))
      else if (state === "ended") resume(Effect.succeed(concatenate(chunks, length)))
      else if (state === "aborted") resume(Effect.fail(new BodyAborted({ receivedBytes: body.receivedBytes })))
      else cancel = body.wait(onNews)
    }
    cancel = body.wait(onNews)
    return Effect.sync(() => cancel())
  })

/**
 * Streams the request body. Each pull by the consumer takes only the bytes that have arrived, so a slow consumer slows
 * the client down. Fails with `BodyTooLarge` if the body exceeds `maxBytes`.
 */
export const readStream = (body: RequestBody, maxBytes: number): Stream.Stream<Uint8Array, BodyError> =>
  Stream.unfold(0, (before) =>
    Effect.flatMap(readSome(body), (bytes) => {
      if (bytes === undefined) return Effect.undefined
      const length = before + bytes.length
      return length > maxBytes ? Effect.fail(new BodyTooLarge({ maxBytes })) : Effect.succeed([bytes, length] as const)
    }),
  )

/** Waits for the next bytes of the body and returns them, or undefined at the end of the body. */
const readSome = (body: RequestBody): Effect.Effect<Uint8Array | undefined, BodyAborted> =>
  Effect.callback((resume) => {
    let cancel = () => {}
    const onNews = () => {
      const { bytes, state } = body.take()
      if (bytes !== undefined) resume(Effect.succeed(bytes))
      else if (state === "ended") resume(Effect.undefined)
      else if (state === "aborted") resume(Effect.fail(new BodyAborted({ receivedBytes: body.receivedBytes })))
      else cancel = body.wait(onNews)
    }
    cancel = body.wait(onNews)
    return Effect.sync(() => cancel())
  })

const concatenate = (chunks: ReadonlyArray<Uint8Array>, length: number): ArrayBuffer => {
  const whole = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    whole.set(chunk, offset)
    offset += chunk.length
  }
  return whole.buffer
}
