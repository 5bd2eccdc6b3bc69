/** Reads samples piece by piece, so that an hour of audio is never in memory as a whole. */
import { type FileHandle, open } from "node:fs/promises"
import { Effect } from "effect"
import { FRAME_SAMPLES, levelOf } from "../windows/levels.ts"
import { type DecodedAudio, SAMPLE_RATE } from "./Audio.ts"

const PIECE_SAMPLES = FRAME_SAMPLES * 500

/** Opens a file that is closed at the end of the scope. */
export const openSamples = ({ path }: DecodedAudio) =>
  Effect.acquireRelease(
    Effect.promise(() => open(path)),
    (file) => Effect.promise(() => file.close()),
  )

/** Reads one level per frame. The last frame may be shorter. */
export const readLevels = Effect.fn("samples.readLevels")(function* (file: FileHandle, { durationSeconds }: DecodedAudio) {
  const total = Math.round(durationSeconds * SAMPLE_RATE)
  const levels = new Float32Array(Math.ceil(total / FRAME_SAMPLES))
  for (let first = 0; first < total; first += PIECE_SAMPLES) {
    const piece = yield* read(file, first, Math.min(total, first + PIECE_SAMPLES))
    for (let at = 0; at < piece.length; at += FRAME_SAMPLES) {
      levels[(first + at) / FRAME_SAMPLES] = levelOf(piece.subarray(at, at + FRAME_SAMPLES))
    }
  }
  return levels
})

/** Times are in seconds. */
export const readWindow = (file: FileHandle, start: number, end: number): Effect.Effect<Int16Array> =>
  read(file, Math.round(start * SAMPLE_RATE), Math.round(end * SAMPLE_RATE))

const read = (file: FileHandle, first: number, end: number) =>
  Effect.promise(async () => {
    const samples = new Int16Array(end - first)
    const { bytesRead } = await file.read(samples, 0, samples.byteLength, first * 2)
    return samples.subarray(0, bytesRead / 2)
  })
