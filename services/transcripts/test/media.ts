/** Makes media files for tests with espeak-ng and ffmpeg. */
import { execFile } from "node:child_process"
import { createReadStream, createWriteStream } from "node:fs"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { promisify } from "node:util"
import { createGunzip } from "node:zlib"

const run = promisify(execFile)

/** Sentences of words that the test weights know, by language. */
export const sentences = {
  en: "one two three four five six seven",
  de: "eins zwei drei vier fünf sechs",
  es: "uno dos tres cuatro cinco seis",
} as const

/** Speaks a text into a WAV file, as the test weights expect it. Returns its path. */
export const speak = async (directory: string, language: string, text: string, name = language): Promise<string> => {
  const path = join(directory, `${name}.wav`)
  await run("espeak-ng", ["-s", "150", "-p", "50", "-v", language, "-w", path, text])
  return path
}

/** Runs ffmpeg. Paths in `args` are relative to `directory`. */
export const ffmpeg = async (directory: string, ...args: ReadonlyArray<string>): Promise<void> => {
  await run("ffmpeg", ["-nostdin", "-v", "error", "-y", ...args], { cwd: directory })
}

/** Writes `<name>.mp4`, a video with a gray picture and the given audio. */
export const video = async (directory: string, name: string, audio: string): Promise<void> => {
  const picture = ["-f", "lavfi", "-i", "color=c=gray:s=64x64:r=5"]
  await ffmpeg(directory, ...picture, "-i", audio, "-shortest", "-c:v", "mpeg4", "-c:a", "aac", "-movflags", "+faststart", `${name}.mp4`)
}

/** Writes `<name>.m3u8` and its segments. */
export const hls = async (directory: string, name: string, audio: string): Promise<void> => {
  const output = ["-f", "hls", "-hls_time", "1", "-hls_list_size", "0", "-hls_playlist_type", "vod"]
  await ffmpeg(directory, "-i", audio, "-c:a", "aac", ...output, `${name}.m3u8`)
}

/** Unpacks the test weights. Returns their path. */
export const testWeights = async (dataDirectory: string, directory: string): Promise<string> => {
  const path = join(directory, "weights.bin")
  await pipeline(createReadStream(join(dataDirectory, "asr", "whisper-fixture-tiny.bin.gz")), createGunzip(), createWriteStream(path))
  return path
}
