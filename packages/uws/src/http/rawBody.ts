// Values of `HttpServerResponse.raw`: bytes, chunks that arrive over time, or values that cannot be sent. File
// responses of Effect's Node platform are `Readable`s that open their file when first read.

import { Readable } from "node:stream"
import { Effect } from "effect"

export type RawBody =
  | { readonly _tag: "Bytes"; readonly bytes: string | Uint8Array | undefined }
  | { readonly _tag: "Pieces"; readonly pieces: AsyncIterable<Uint8Array> }
  | { readonly _tag: "Unsupported" }

export const rawBody = (body: unknown): RawBody => {
  if (body === undefined || body === null) return { _tag: "Bytes", bytes: undefined }
  if (typeof body === "string" || body instanceof Uint8Array) return { _tag: "Bytes", bytes: body }
  if (body instanceof ArrayBuffer) return { _tag: "Bytes", bytes: new Uint8Array(body) }
  if (ArrayBuffer.isView(body)) return { _tag: "Bytes", bytes: new Uint8Array(body.buffer, body.byteOffset, body.byteLength) }
  if (body instanceof Blob) return { _tag: "Pieces", pieces: inBytes(body.stream()) }
  if (isAsyncIterable(body)) return { _tag: "Pieces", pieces: inBytes(body) }
  return { _tag: "Unsupported" }
}

/** Releases a body that will not be sent. */
export const discardRaw = (body: unknown): Effect.Effect<void> => {
  if (body instanceof Readable) return Effect.sync(() => body.destroy())
  // A stream that has already failed reports its failure again. The body is not needed.
  if (body instanceof ReadableStream) return Effect.ignore(Effect.tryPromise(() => body.cancel()))
  return Effect.void
}

const isAsyncIterable = (value: object): value is AsyncIterable<unknown> => Symbol.asyncIterator in value

async function* inBytes(pieces: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    if (typeof piece === "string") yield Buffer.from(piece)
    else if (piece instanceof Uint8Array) yield piece
    else throw new TypeError("A piece of a raw body must be text or bytes")
  }
}
