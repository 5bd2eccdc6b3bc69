/** The pipeline of one video: download, decode, cut into windows, recognize, join. */
import type { Transcript } from "@matchpoint/transcripts/Transcript"
import { Effect } from "effect"
import { Audio, type DecodedAudio } from "./audio/Audio.ts"
import { openSamples, readLevels, readWindow } from "./audio/samples.ts"
import { Downloader } from "./download/Downloader.ts"
import { type Speech, SpeechEngine } from "./engine/SpeechEngine.ts"
import { detectedLanguage, TextLanguage } from "./engine/TextLanguage.ts"
import { Sandbox } from "./sandbox/Sandbox.ts"
import { NoSpeech, TranscriptionTimeout } from "./TranscribeFailure.ts"
import type { TranscribeProgress, TranscribeRequest } from "./Transcriber.ts"
import { joinWindows, type RecognizedWindow } from "./windows/joinWindows.ts"
import { planWindows } from "./windows/planWindows.ts"

/** After a window with this many characters, a detected language is kept for the rest of the video. */
const ENOUGH_CHARACTERS = 10

export const transcribeVideo = Effect.fn("Transcriber.transcribe")(
  function* (request: TranscribeRequest) {
    const { directory } = yield* Sandbox
    const downloader = yield* Downloader
    const audio = yield* Audio
    const job = { directory: yield* directory, limits: request.limits }
    const report = (stage: TranscribeProgress["stage"]) => (fraction: number) => request.onProgress({ stage, fraction })

    yield* report("downloading")(0)
    const path = yield* downloader.download({ ...job, platform: request.platform, url: request.url, onProgress: report("downloading") })
    yield* report("converting")(0)
    const decoded = yield* audio.decode({ ...job, path, onProgress: report("converting") })
    yield* report("transcribing")(0)
    return yield* recognizeAll(decoded, request.language, report("transcribing"))
  },
  Effect.scoped,
  (effect, { jobId, limits: { maxWallSeconds } }) =>
    effect.pipe(
      Effect.timeoutOrElse({
        duration: maxWallSeconds * 1_000,
        orElse: () => Effect.fail(new TranscriptionTimeout({ maxWallSeconds })),
      }),
      Effect.annotateLogs({ jobId }),
    ),
)

const recognizeAll = Effect.fnUntraced(function* (
  decoded: DecodedAudio,
  requested: string | null,
  report: (fraction: number) => Effect.Effect<void>,
) {
  const engine = yield* SpeechEngine
  const texts = yield* TextLanguage
  const file = yield* openSamples(decoded)
  const windows = planWindows(yield* readLevels(file, decoded))
  const recognized: Array<RecognizedWindow> = []
  let detected = requested
  let language = requested
  for (const [index, window] of windows.entries()) {
    const samples = yield* readWindow(file, window.start, window.end)
    const speech: Speech = yield* engine.recognize({ samples, language })
    const characters = speech.segments.reduce((sum, { text }) => sum + text.length, 0)
    if (language === null && characters > 0) detected = speech.language
    if (characters >= ENOUGH_CHARACTERS) language = detected
    recognized.push({ window, segments: speech.segments })
    yield* report((index + 1) / windows.length)
  }
  const segments = joinWindows(recognized)
  if (segments.length === 0) return yield* new NoSpeech({ detail: `${windows.length} windows with sound` })
  const text = segments.map((segment) => segment.text).join(" ")
  return {
    language: requested ?? detectedLanguage(detected ?? "en", text, yield* texts.guess(text)),
    durationSeconds: decoded.durationSeconds,
    segments,
  } satisfies Transcript
})
