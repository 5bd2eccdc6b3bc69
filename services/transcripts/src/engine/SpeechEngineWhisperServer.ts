/** `SpeechEngine` with whisper.cpp's program `whisper-server`, which is built for the processor of the machine. */
import { Effect, Layer, Schema } from "effect"
import { HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { Sandbox } from "../sandbox/Sandbox.ts"
import { EngineFailed } from "../TranscribeFailure.ts"
import { TranscriberConfig } from "../TranscriberConfig.ts"
import { requireLanguage, requireWeights } from "./requirements.ts"
import { type Speech, SpeechEngine, type SpeechRequest } from "./SpeechEngine.ts"
import { speechOf } from "./speechOf.ts"
import { makeSupervised } from "./supervised.ts"
import { wavOf } from "./wavOf.ts"
import { weightsComponent } from "./weights.ts"
import { startWhisperServer, type WhisperServer } from "./whisperServerProcess.ts"

const ADVICE =
  "Build it: git clone https://github.com/ggml-org/whisper.cpp, cmake -B build, cmake --build build --target whisper-server, and put build/bin/whisper-server into the PATH."

/** The fields of `verbose_json` that are used. */
const Answer = Schema.Struct({
  segments: Schema.Array(Schema.Struct({ start: Schema.Finite, end: Schema.Finite, text: Schema.String })),
  language_probabilities: Schema.optionalKey(Schema.Record(Schema.String, Schema.Finite)),
})

export const layer = Layer.effect(
  SpeechEngine,
  Effect.gen(function* () {
    const { threads, weights } = yield* TranscriberConfig
    const sandbox = yield* Sandbox
    const http = yield* HttpClient.HttpClient
    const server = yield* makeSupervised(
      requireWeights(weights).pipe(
        Effect.flatMap((path) => startWhisperServer(sandbox, { weights: path, threads })),
        Effect.provideService(HttpClient.HttpClient, http),
      ),
    )

    const post = ({ language, samples }: SpeechRequest) =>
      Effect.fn("WhisperServer.recognize")(function* ({ isRunning, url }: WhisperServer) {
        if (!(yield* isRunning)) return yield* new EngineFailed({ detail: "whisper-server has ended." })
        const form = new FormData()
        form.set("file", new Blob([wavOf(samples)]), "window.wav")
        form.set("response_format", "verbose_json")
        form.set("temperature", "0")
        form.set("temperature_inc", "0")
        form.set("language", language ?? "auto")
        // The probabilities take half the time of a window, and are needed only to detect the language.
        if (language !== null) form.set("no_language_probabilities", "true")
        const answer = yield* http.execute(HttpClientRequest.post(url).pipe(HttpClientRequest.bodyFormData(form))).pipe(
          Effect.flatMap(HttpClientResponse.filterStatusOk),
          Effect.flatMap(HttpClientResponse.schemaBodyJson(Answer)),
          Effect.mapError(({ message }) => new EngineFailed({ detail: message.slice(0, 2_000) })),
        )
        return speechOf(language ?? mostProbable(answer.language_probabilities ?? {}), answer.segments) satisfies Speech
      })

    return SpeechEngine.of({
      recognize: (request) => Effect.andThen(requireLanguage(request.language), server.use(post(request))),
      components: Effect.all([
        sandbox.find("whisper-server").pipe(
          Effect.match({
            onFailure: ({ message }) => ({ name: "whisper-server", version: null, problem: `${message}. ${ADVICE}` }),
            onSuccess: (path) => ({ name: "whisper-server", version: path, problem: null }),
          }),
        ),
        weightsComponent(weights),
      ]),
    })
  }),
)

const mostProbable = (probabilities: Readonly<Record<string, number>>): string | undefined =>
  Object.entries(probabilities).reduce<readonly [string | undefined, number]>(
    (best, [code, probability]) => (probability > best[1] ? [code, probability] : best),
    [undefined, 0],
  )[0]
