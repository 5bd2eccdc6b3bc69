/** `Transcriber` with yt-dlp, ffmpeg and the engine that the settings name. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { Audio } from "./audio/Audio.ts"
import * as AudioFfmpeg from "./audio/AudioFfmpeg.ts"
import { Downloader } from "./download/Downloader.ts"
import * as DownloaderYtDlp from "./download/DownloaderYtDlp.ts"
import { SpeechEngine } from "./engine/SpeechEngine.ts"
import * as SpeechEngineWhisperNode from "./engine/SpeechEngineWhisperNode.ts"
import * as SpeechEngineWhisperServer from "./engine/SpeechEngineWhisperServer.ts"
import { TextLanguage } from "./engine/TextLanguage.ts"
import { Sandbox } from "./sandbox/Sandbox.ts"
import { type Availability, type Component, Transcriber } from "./Transcriber.ts"
import { TranscriberConfig } from "./TranscriberConfig.ts"
import { transcribeVideo } from "./transcribeVideo.ts"

/** Needs `Downloader`, `Audio`, `SpeechEngine`, `TextLanguage` and `Sandbox`. */
export const layerOfDrivers = Layer.effect(
  Transcriber,
  Effect.gen(function* () {
    const services = yield* Effect.context<Sandbox | Downloader | Audio | SpeechEngine | TextLanguage>()
    const sandbox = yield* Sandbox
    const downloader = yield* Downloader
    const audio = yield* Audio
    const engine = yield* SpeechEngine
    const availability = Effect.gen(function* () {
      const components = [
        yield* downloader.component,
        ...(yield* audio.components),
        ...(yield* engine.components),
        limits(yield* sandbox.isLimiting),
      ]
      return { components, isAvailable: components.every(({ problem }) => problem === null) } satisfies Availability
    })
    return Transcriber.of({ transcribe: (request) => Effect.provideContext(transcribeVideo(request), services), availability })
  }),
)

const engineLayer = Layer.unwrap(
  Effect.map(TranscriberConfig, ({ engine }) =>
    engine === "whisper-server" ? SpeechEngineWhisperServer.layer : SpeechEngineWhisperNode.layer,
  ),
)

/** Fails only if the address policy in the settings is malformed. Starts no process before the first video. */
export const layer = layerOfDrivers.pipe(
  Layer.provide([DownloaderYtDlp.layer, AudioFfmpeg.layer, engineLayer, TextLanguage.layer]),
  Layer.provide(Sandbox.layer),
  Layer.provide([NodeServices.layer, FetchHttpClient.layer]),
)

/** Without the programs, transcripts work, but hostile videos can use any memory and CPU time. */
const limits = (isLimiting: boolean): Component => ({
  name: "limits of processes",
  version: isLimiting
    ? "nice, setpriv and prlimit"
    : "none: this system has no setpriv and prlimit; videos can use any memory and CPU time",
  problem: null,
})
