/** Checks the file with the weights of whisper.cpp. */
import { open } from "node:fs/promises"
import { basename } from "node:path"
import { Effect, Option } from "effect"
import type { Component } from "../Transcriber.ts"

/** whisper.cpp's format: "ggml", little-endian. */
const MAGIC = "lmgg"
const ADVICE =
  "Download weights in the format of whisper.cpp, for example ggml-base.bin of huggingface.co/ggerganov/whisper.cpp, and set MATCHPOINT_TRANSCRIPTS_WEIGHTS to the file."

export const weightsComponent = (weights: Option.Option<string>): Effect.Effect<Component> =>
  Option.match(weights, {
    onNone: () => Effect.succeed(missing("MATCHPOINT_TRANSCRIPTS_WEIGHTS is not set.")),
    onSome: (path) =>
      Effect.promise(() => read(path)).pipe(
        Effect.map((found): Component => {
          if (found === undefined) return missing(`${path} cannot be read.`)
          const { magic, size } = found
          if (magic !== MAGIC) return missing(`${path} is not in the format of whisper.cpp.`)
          return { name: "weights", version: `${basename(path)}, ${(size / 1e6).toFixed(0)} MB`, problem: null }
        }),
      ),
  })

const missing = (problem: string): Component => ({ name: "weights", version: null, problem: `${problem} ${ADVICE}` })

/** Undefined if the file cannot be read. */
const read = async (path: string) => {
  try {
    const file = await open(path)
    try {
      const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0)
      return { magic: buffer.toString("latin1"), size: (await file.stat()).size }
    } finally {
      await file.close()
    }
  } catch {
    return undefined
  }
}
