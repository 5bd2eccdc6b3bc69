/**
 * Imported files as bytes, text or one JSON value, unpacked from `.gz` and `.xz`. The size of whole texts is limited.
 */
import { createReadStream } from "node:fs"
import { pipeline } from "node:stream"
import { createGunzip } from "node:zlib"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Effect, Result, Schema, Stream } from "effect"
import xz from "xz-decompress"
import { type ImportFile, UnreadableFile } from "./ImportSource.ts"

/** Decompressed size of a file that is read as a whole. */
export const MAX_WHOLE_BYTES = 512 * 1024 * 1024

/** Decompressed content of a file. */
export const bytesOf = (file: ImportFile): Stream.Stream<Uint8Array, UnreadableFile> =>
  file.name.endsWith(".xz") ? unpackedXz(file) : contentOf(file)

const contentOf = (file: ImportFile): Stream.Stream<Uint8Array, UnreadableFile> =>
  NodeStream.fromReadable<Uint8Array, UnreadableFile>({
    evaluate: () => {
      const content = createReadStream(file.path, { highWaterMark: 256 * 1024 })
      // If reading fails, `pipeline` also ends the decompression. The reader receives the error from its stream.
      return isPacked(file.name) ? pipeline(content, createGunzip(), () => {}) : content
    },
    onError: (cause) => new UnreadableFile({ reason: whyUnreadable(file, cause) }),
  })

const unpackedXz = (file: ImportFile): Stream.Stream<Uint8Array, UnreadableFile> =>
  Stream.fromReadableStream({
    evaluate: () => new xz.XzReadableStream(Stream.toReadableStream(contentOf(file))),
    onError: (cause) => new UnreadableFile({ reason: `cannot be unpacked: ${cause instanceof Error ? cause.message : String(cause)}` }),
  })

export const textOf = Effect.fn("import.textOf")(function* (file: ImportFile) {
  const chunks: Array<Uint8Array> = []
  let size = 0
  yield* Stream.runForEach(bytesOf(file), (chunk) => {
    size += chunk.length
    chunks.push(chunk)
    return size > MAX_WHOLE_BYTES
      ? Effect.fail(new UnreadableFile({ reason: `more than ${MAX_WHOLE_BYTES / 1024 / 1024} MB unpacked` }))
      : Effect.void
  })
  return withoutMark(Buffer.concat(chunks).toString("utf8"))
})

export const jsonOf = Effect.fn("import.jsonOf")(function* (file: ImportFile) {
  const text = yield* textOf(file)
  return yield* Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: (cause) => new UnreadableFile({ reason: `not JSON: ${cause instanceof Error ? cause.message : String(cause)}` }),
  })
})

/** Decodes one JSON value as a whole. If a single record may be invalid, decode the records one by one instead. */
export const jsonAs = <A, I>(file: ImportFile, schema: Schema.Codec<A, I>): Effect.Effect<A, UnreadableFile> =>
  Effect.flatMap(jsonOf(file), (value) =>
    Result.match(Schema.decodeUnknownResult(schema)(value), {
      onSuccess: Effect.succeed,
      onFailure: (issue) =>
        Effect.fail(new UnreadableFile({ reason: `the content does not match the format: ${String(issue).slice(0, 500)}` })),
    }),
  )

const isPacked = (name: string): boolean => name.endsWith(".gz")

const withoutMark = (text: string): string => text.replace(/^\uFEFF/, "")

const whyUnreadable = (file: ImportFile, cause: unknown): string => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  if (code === "ENOENT") return "the file does not exist"
  if (code === "EISDIR") return "the path is a folder"
  if (code === "EACCES") return "no permission to read the file"
  const message = cause instanceof Error ? cause.message : String(cause)
  return isPacked(file.name) && code.startsWith("Z_") ? `cannot be unpacked: ${message}` : message
}
