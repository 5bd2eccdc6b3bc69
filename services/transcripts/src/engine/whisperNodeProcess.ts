/** The child process of `@fugood/whisper.node`. */
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { Effect, Queue, Schema, Stream } from "effect"
import type { Sandbox } from "../sandbox/Sandbox.ts"
import { EngineFailed, TranscriptionUnavailable } from "../TranscribeFailure.ts"
import type { Component } from "../Transcriber.ts"
import { type EngineOptions, engineLimits } from "./engineLimits.ts"
import type { SpeechRequest } from "./SpeechEngine.ts"
import { ANSWER, AnswerLine, READY, WindowLine } from "./whisperNodeProtocol.ts"

export interface WhisperNode {
  /** Recognizes one window. Only one may be asked for at a time. */
  readonly ask: (request: SpeechRequest) => Effect.Effect<typeof AnswerLine.Type, EngineFailed>
}

const PACKAGE = "@fugood/whisper.node"
const ADVICE = "The package has no build for this system. Set MATCHPOINT_TRANSCRIPTS_ENGINE to whisper-server."
const MAIN = fileURLToPath(new URL("whisperNodeMain.ts", import.meta.url))
/** Time for loading the weights. */
const START_TIMEOUT = "2 minutes"
const MAX_LINE_CHARACTERS = 1_000_000
/** Windows that were given up can leave some lines. */
const MAX_LINES = 16

const encodeWindow = Schema.encodeEffect(WindowLine)
const decodeAnswer = Schema.decodeUnknownEffect(AnswerLine)
const decodePackage = Schema.decodeUnknownSync(Schema.Struct({ version: Schema.String }))

/** Waits until the weights are loaded. The process ends when the scope closes. */
export const startWhisperNode = Effect.fn("WhisperNode.start")(function* (sandbox: Sandbox["Service"], options: EngineOptions) {
  const { problem } = yield* packageComponent
  if (problem !== null) return yield* new TranscriptionUnavailable({ detail: problem })
  const directory = yield* sandbox.directory
  const handle = yield* sandbox
    .start({
      ...{ program: process.execPath, args: [MAIN, options.weights, String(options.threads)], directory },
      limits: yield* engineLimits(options),
    })
    .pipe(Effect.mapError(({ message }) => new TranscriptionUnavailable({ detail: message })))
  const input = yield* Queue.bounded<string>(MAX_LINES)
  const output = yield* Queue.bounded<string, EngineFailed>(MAX_LINES)
  yield* Effect.forkScoped(Effect.ignore(Stream.runDrain(handle.stderr)))
  yield* Stream.fromQueue(input).pipe(Stream.encodeText, Stream.run(handle.stdin), Effect.ignore, Effect.forkScoped)
  yield* handle.stdout.pipe(
    Stream.decodeText(),
    Stream.splitLines,
    Stream.filter((line) => (line === READY || line.startsWith(ANSWER)) && line.length <= MAX_LINE_CHARACTERS),
    Stream.runForEach((line) => Queue.offer(output, line)),
    Effect.ignore,
    Effect.andThen(Queue.fail(output, new EngineFailed({ detail: "The process of whisper.node has ended." }))),
    Effect.forkScoped,
  )
  yield* Effect.timeoutOrElse(Queue.take(output), {
    duration: START_TIMEOUT,
    orElse: () => Effect.fail(new EngineFailed({ detail: "whisper.node was not ready in time." })),
  })

  const take = Queue.take(output).pipe(
    Effect.flatMap((line) => decodeAnswer(line.slice(ANSWER.length))),
    Effect.catchTag("SchemaError", ({ message }) => Effect.fail(new EngineFailed({ detail: message.slice(0, 2_000) }))),
  )
  let last = 0
  return {
    ask: Effect.fnUntraced(function* ({ language, samples }) {
      last += 1
      const id = last
      const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
      const line = yield* Effect.orDie(encodeWindow({ id, language, samples: bytes.toString("base64") }))
      yield* Queue.offer(input, `${line}\n`)
      // Earlier answers belong to windows whose callers were interrupted.
      return yield* Effect.repeat(take, { until: (answer) => answer.id === id })
    }),
  } satisfies WhisperNode
})

/** The package and its build. Only files are looked for: loading them would run native code here. */
export const packageComponent: Effect.Effect<Component> = Effect.sync(() => {
  const require = createRequire(import.meta.url)
  try {
    const { version } = decodePackage(require(`${PACKAGE}/package.json`))
    createRequire(require.resolve(PACKAGE)).resolve(`@fugood/node-whisper-${process.platform}-${process.arch}`)
    return { name: PACKAGE, version, problem: null }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split("\n")[0] : "It is not installed"
    return { name: PACKAGE, version: null, problem: `${reason}. ${ADVICE}` }
  }
})
