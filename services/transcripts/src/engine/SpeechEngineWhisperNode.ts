/**
 * `SpeechEngine` with the npm package `@fugood/whisper.node`, which needs no build. It runs in a child process, because
 * a crash of native code would end the gateway. Slower than `whisper-server`: the package does not use AVX.
 */
import { Effect, Layer } from "effect"
import { Sandbox } from "../sandbox/Sandbox.ts"
import { TranscriberConfig } from "../TranscriberConfig.ts"
import { requireLanguage, requireWeights } from "./requirements.ts"
import { SpeechEngine } from "./SpeechEngine.ts"
import { speechOf } from "./speechOf.ts"
import { makeSupervised } from "./supervised.ts"
import { weightsComponent } from "./weights.ts"
import { packageComponent, startWhisperNode } from "./whisperNodeProcess.ts"

export const layer = Layer.effect(
  SpeechEngine,
  Effect.gen(function* () {
    const { threads, weights } = yield* TranscriberConfig
    const sandbox = yield* Sandbox
    const child = yield* makeSupervised(
      Effect.flatMap(requireWeights(weights), (path) => startWhisperNode(sandbox, { weights: path, threads })),
    )
    return SpeechEngine.of({
      recognize: Effect.fn("WhisperNode.recognize")(function* (request) {
        yield* requireLanguage(request.language)
        const { language, segments } = yield* child.use(({ ask }) => ask(request))
        return speechOf(
          request.language ?? language,
          segments.map(({ t0, t1, text }) => ({ start: t0 / 1_000, end: t1 / 1_000, text })),
        )
      }),
      components: Effect.all([packageComponent, weightsComponent(weights)]),
    })
  }),
)
