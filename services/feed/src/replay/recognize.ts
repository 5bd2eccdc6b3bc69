/** Recognizes a recording by its content, not by its name. `number` chooses the match of a file with several. */
import { gunzipSync } from "node:zlib"
import { type Recording, type RecordingFormats, UnreadableRecording } from "@matchpoint/game/feed/replay/Recording"
import { Result } from "effect"

/** Decompressed size of a recording. */
export const MAX_UNPACKED_BYTES = 256 * 1024 * 1024

export const recognize = <R extends Recording>(
  known: ReadonlyArray<RecordingFormats<R>>,
  bytes: Uint8Array,
  number = 1,
): Result.Result<R, UnreadableRecording> =>
  Result.flatMap(unpacked(bytes), (content) => {
    if (content.every(isBlank)) return refuse("the file is empty")
    for (const { read } of known) {
      const recording = read(content, number)
      if (recording !== undefined) return recording
    }
    return refuse(
      `the format of this file is unknown. Supported formats: ${known.map(({ formats }) => formats).join(", ")}, each optionally gzipped`,
    )
  })

/** True for ASCII white space, control characters, and the bytes of a UTF-8 byte order mark. */
const isBlank = (byte: number): boolean => byte <= 0x20 || byte === 0xef || byte === 0xbb || byte === 0xbf

const unpacked = (bytes: Uint8Array): Result.Result<Uint8Array, UnreadableRecording> => {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return Result.succeed(bytes)
  return Result.try({
    try: (): Uint8Array => gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES }),
    catch: (cause) =>
      new UnreadableRecording({ message: `the gzip file cannot be unpacked: ${cause instanceof Error ? cause.message : String(cause)}` }),
  })
}

const refuse = (message: string): Result.Result<never, UnreadableRecording> => Result.fail(new UnreadableRecording({ message }))
