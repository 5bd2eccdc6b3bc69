/**
 * `SpeechEngine` with the npm package `@fugood/whisper.node`, which needs no build. It runs in a child process, because
 * native code that crashes would end the gateway. Slower than `whisper-server`: the package does not use AVX.
 */
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { type Cause, Effect, Layer, Queue, Schema, Stream } from "effect"
import { Sandbox } from "../Sandbox.ts"
import { SpeechEngine, type SpeechRequest } from "../SpeechEngine.ts"
import { EngineFailed, TranscriptionUnavailable } from "../TranscribeFailure.ts"
import type { Component } from "../Transcriber.ts"
import { TranscriberConfig } from "../TranscriberConfig.ts"
import { type EngineOptions, engineLimits } from "./engineLimits.ts"
import { requireLanguage, requireWeights } from "./requirements.ts"
import { speechOf } from "./speechOf.ts"
import { makeSupervised } from "./supervised.ts"
import { weightsComponent } from "./weights.ts"
import { ANSWER, AnswerLine, READY, WindowLine } from "./whisperNodeProtocol.ts"

const PACKAGE = "@fugood/whisper.node"
const ADVICE = "The package has no build for this system. Set MATCHPOINT_TRANSCRIPTS_ENGINE to whisper-server."
const MAIN = fileURLToPath(new URL("whisperNodeMain.ts", import.meta.url))
const START_TIMEOUT = "2 minutes"
const MAX_LINE_CHARACTERS = 1_000_000

const encodeWindow = Schema.encodeEffect(WindowLine)
const decodeAnswer = Schema.decodeUnknownEffect(AnswerLine)

interface WhisperNode {
  readonly ask: (line: string) => Effect.Effect<string, EngineFailed>
}

const start = Effect.fn("WhisperNode.start")(function* (sandbox: Sandbox["Service"], options: EngineOptions) {
  const component = yield* packageComponent
  if (component.problem !== null) return yield* new TranscriptionUnavailable({ detail: component.problem })
  const directory = yield* sandbox.directory
  const handle = yield* sandbox
    .start({
      ...{ program: process.execPath, args: [MAIN, options.weights, String(options.threads)], directory },
      limits: yield* engineLimits(options),
    })
    .pipe(Effect.mapError(({ message }) => new TranscriptionUnavailable({ detail: message })))
  const input = yield* Queue.bounded<string>(1)
  const output = yield* Queue.bounded<string, EngineFailed | Cause.Done>(16)
  yield* Effect.forkScoped(Effect.ignore(Stream.runDrain(handle.stderr)))
  yield* Effect.forkScoped(
    Effect.ignore(
      Stream.fromQueue(input).pipe(
        Stream.map((line) => `${line}\n`),
        Stream.encodeText,
        Stream.run(handle.stdin),
      ),
    ),
  )
  yield* handle.stdout.pipe(
    Stream.decodeText(),
    Stream.splitLines,
    Stream.filter((line) => (line === READY || line.startsWith(ANSWER)) && line.length <= MAX_LINE_CHARACTERS),
    Stream.runForEach((line) => Queue.offer(output, line)),
    Effect.ignore,
    Effect.andThen(Queue.fail(output, new EngineFailed({ detail: "The process of whisper.node has ended." }))),
    Effect.forkScoped,
  )
  const take = Queue.take(output).pipe(Effect.mapError(() => new EngineFailed({ detail: "The process of whisper.node has ended." })))
  yield* Effect.timeoutOrElse(take, {
    duration: START_TIMEOUT,
    orElse: () => Effect.fail(new EngineFailed({ detail: "whisper.node was not ready in time." })),
  })
  return { ask: (line) => Effect.andThen(Queue.offer(input, line), take) } satisfies WhisperNode
})

export const layer = Layer.effect(
  SpeechEngine,
  Effect.gen(function* () {
    const { threads, weights } = yield* TranscriberConfig
    const sandbox = yield* Sandbox
    const child = yield* makeSupervised(Effect.flatMap(requireWeights(weights), (path) => start(sandbox, { weights: path, threads })))

    const ask = ({ language, samples }: SpeechRequest) =>
      Effect.fn("WhisperNode.recognize")(function* ({ ask }: WhisperNode) {
        const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
        const line = yield* Effect.orDie(encodeWindow({ samples: bytes.toString("base64"), language }))
        const answer = yield* ask(line).pipe(
          Effect.flatMap((text) => decodeAnswer(text.slice(ANSWER.length))),
          Effect.catchTag("SchemaError", ({ message }) => Effect.fail(new EngineFailed({ detail: message.slice(0, 2_000) }))),
        )
        return speechOf(
          language ?? answer.language,
          answer.segments.map(({ t0, t1, text }) => ({ start: t0 / 1_000, end: t1 / 1_000, text })),
        )
      })

    return SpeechEngine.of({
      recognize: (request) => Effect.andThen(requireLanguage(request.language), child.use(ask(request))),
      components: Effect.all([packageComponent, weightsComponent(weights)]),
    })
  }),
)

/** The package and its build for this system. Loading it in this process would load native code, so only files are looked for. */
const packageComponent: Effect.Effect<Component> = Effect.sync(() => {
  const require = createRequire(import.meta.url)
  try {
    const version = Schema.decodeUnknownSync(Schema.Struct({ version: Schema.String }))(require(`${PACKAGE}/package.json`)).version
    createRequire(require.resolve(PACKAGE)).resolve(`@fugood/node-whisper-${process.platform}-${process.arch}`)
    return { name: PACKAGE, version, problem: null }
  } catch (cause) {
    return {
      name: PACKAGE,
      version: null,
      problem: `${cause instanceof Error ? cause.message.split("\n")[0] : "not installed"}. ${ADVICE}`,
    }
  }
})
