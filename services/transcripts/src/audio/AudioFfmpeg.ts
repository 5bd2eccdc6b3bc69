/**
 * Ffprobe and ffmpeg open files only, and only in formats that contain media themselves. Playlists (HLS, DASH, concat)
 * are refused, because they can name other files and addresses.
 */
import { stat } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Layer, Schema } from "effect"
import { programComponent } from "../sandbox/programComponent.ts"
import { Sandbox, type SandboxRun } from "../sandbox/Sandbox.ts"
import type { SandboxFailure } from "../sandbox/SandboxFailure.ts"
import { MediaInvalid, NoSpeech, TranscriptionTimeout, TranscriptionUnavailable, VideoTooLong } from "../TranscribeFailure.ts"
import { Audio, type DecodeRequest, SAMPLE_RATE } from "./Audio.ts"

const SAMPLES_FILE = "samples"
const MEMORY_BYTES = 1024 ** 3
const MAX_OUTPUT_BYTES = 256 * 1_024
const PROBE_TIMEOUT_MS = 30_000
/** Decoded beyond the limit, so that a file that is too long is recognized. */
const EXTRA_SECONDS = 1
const BYTES_PER_SECOND = SAMPLE_RATE * 2

const FORMATS = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,mpegts,mpeg,mp3,aac,ogg,wav,flac,flv,avi,asf"
/** ffmpeg follows references from an MP4 file to other files only on request. */
const INPUT = ["-protocol_whitelist", "file", "-format_whitelist", FORMATS]

/** Output of ffprobe. Numbers are text, and every field can be missing. */
const Probe = Schema.fromJsonString(
  Schema.Struct({
    streams: Schema.optionalKey(Schema.Array(Schema.Struct({ codec_type: Schema.optionalKey(Schema.String) }))),
    format: Schema.optionalKey(Schema.Struct({ duration: Schema.optionalKey(Schema.String) })),
  }),
)
const decodeProbe = Schema.decodeUnknownEffect(Probe)

export const layer = Layer.effect(
  Audio,
  Effect.gen(function* () {
    const sandbox = yield* Sandbox

    const run = (request: DecodeRequest, command: Pick<SandboxRun, "program" | "args" | "timeoutMs" | "onLine">) =>
      sandbox
        .run({
          ...command,
          directory: request.directory,
          maxOutputBytes: MAX_OUTPUT_BYTES,
          limits: {
            cpuSeconds: request.limits.maxWallSeconds,
            memoryBytes: MEMORY_BYTES,
            fileBytes: (request.limits.maxDurationSeconds + EXTRA_SECONDS + 1) * BYTES_PER_SECOND,
          },
        })
        .pipe(Effect.mapError((failure) => failureOf(failure, request)))

    /** Undefined if the file claims no duration. */
    const probe = Effect.fn("Audio.probe")(function* (request: DecodeRequest) {
      const { exitCode, stderr, stdout } = yield* run(request, {
        program: "ffprobe",
        args: ["-v", "error", ...INPUT, "-show_entries", "format=duration:stream=codec_type", "-of", "json", "-i", `file:${request.path}`],
        timeoutMs: PROBE_TIMEOUT_MS,
      })
      if (exitCode !== 0) return yield* new MediaInvalid({ detail: stderr.slice(0, 2_000) })
      const { format, streams } = yield* decodeProbe(stdout).pipe(
        Effect.mapError(({ message }) => new MediaInvalid({ detail: message.slice(0, 2_000) })),
      )
      if (!(streams ?? []).some((stream) => stream.codec_type === "audio")) {
        return yield* new NoSpeech({ detail: "The file has no audio stream." })
      }
      const seconds = Number(format?.duration)
      return seconds > 0 ? seconds : undefined
    })

    const decode = Effect.fn("Audio.decode")(function* (request: DecodeRequest) {
      const { maxDurationSeconds, maxWallSeconds } = request.limits
      const claimed = yield* probe(request)
      if (claimed !== undefined && claimed > maxDurationSeconds + EXTRA_SECONDS) {
        return yield* new VideoTooLong({ maxDurationSeconds, detail: `${claimed} seconds` })
      }
      const path = join(request.directory, SAMPLES_FILE)
      const { exitCode, stderr } = yield* run(request, {
        program: "ffmpeg",
        args: [
          ...["-nostdin", "-hide_banner", "-v", "error", "-threads", "1", ...INPUT, "-i", `file:${request.path}`],
          ...["-map", "0:a:0", "-vn", "-sn", "-dn", "-map_metadata", "-1", "-t", String(maxDurationSeconds + EXTRA_SECONDS)],
          ...["-ac", "1", "-ar", String(SAMPLE_RATE), "-c:a", "pcm_s16le", "-f", "s16le"],
          ...["-progress", "pipe:1", "-stats_period", "0.5", "-y", `file:${path}`],
        ],
        timeoutMs: maxWallSeconds * 1_000,
        onLine: (line) => {
          const micros = Number(/^out_time_us=(\d+)$/.exec(line)?.[1])
          return claimed !== undefined && micros > 0 ? request.onProgress(Math.min(1, micros / 1e6 / claimed)) : Effect.void
        },
      })
      const bytes = yield* Effect.promise(() =>
        stat(path).then(
          ({ size }) => size,
          () => 0,
        ),
      )
      // ffmpeg reports damaged parts with a code other than 0 and decodes the rest.
      if (bytes === 0) return yield* new MediaInvalid({ detail: `ffmpeg ended with ${exitCode}: ${stderr.slice(0, 1_900)}` })
      const durationSeconds = bytes / BYTES_PER_SECOND
      if (durationSeconds > maxDurationSeconds) return yield* new VideoTooLong({ maxDurationSeconds, detail: "found while decoding" })
      return { path, durationSeconds }
    })

    const component = (program: string) =>
      programComponent(sandbox, { program, args: ["-version"], advice: "Debian: apt-get install ffmpeg. macOS: brew install ffmpeg" })
    return Audio.of({ decode, components: Effect.all([component("ffmpeg"), component("ffprobe")]) })
  }),
)

const failureOf = (failure: SandboxFailure, { limits }: DecodeRequest) => {
  const detail = failure.message
  switch (failure._tag) {
    case "ProgramMissing":
      return new TranscriptionUnavailable({ detail })
    case "ProgramTimeout":
      return new TranscriptionTimeout({ maxWallSeconds: limits.maxWallSeconds, detail })
    case "OutputTooLong":
      return new MediaInvalid({ detail })
  }
}
