/** The real pipeline against a site on loopback, with the test weights. */
import { readdirSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { temporaryDirectory } from "@matchpoint/testing/temporaryDirectory"
import { Context, Effect, Layer, Option } from "effect"
import { inject } from "vitest"
import { type TranscribeProgress, Transcriber } from "../src/Transcriber.ts"
import { hls, sentences, speak, testWeights, video } from "./media.ts"
import { pipeline, processesIn, request } from "./pipelineStack.ts"
import { redirect, videoSite } from "./videoSite.ts"

const dataDirectory = inject("dataDirectory")
const tools = inject("ytDlp") !== null && inject("ffmpeg") !== null && inject("espeak") !== null

class Fixture extends Context.Service<Fixture, { readonly origin: string; readonly jobs: string }>()(
  "@matchpoint/service-transcripts/test/pipeline.full.test/Fixture",
) {}

const languages = ["en", "de", "es"] as const

const fixture = (engine: "whisper-node" | "whisper-server") =>
  Layer.unwrap(
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const jobs = join(directory, "jobs")
      yield* Effect.promise(() => mkdir(jobs))
      const weights = yield* Effect.promise(() => testWeights(dataDirectory ?? "", directory))
      for (const language of languages) {
        const wav = yield* Effect.promise(() => speak(directory, language, sentences[language]))
        yield* Effect.promise(() => Promise.all([video(directory, language, wav), hls(directory, language, wav)]))
      }
      const sentence = `${sentences.en}, ${sentences.en}. `
      const long = yield* Effect.promise(() => speak(directory, "en", sentence.repeat(13), "long"))
      yield* Effect.promise(() => video(directory, "long", long))
      const routes = Object.fromEntries(
        languages.flatMap((language) => [
          [`/post/${language}`, redirect(`/hop/${language}`)],
          [`/hop/${language}`, redirect(`/${language}.mp4`)],
        ]),
      )
      const { origin } = yield* videoSite(directory, routes)
      return Layer.merge(Layer.succeed(Fixture, { origin, jobs }), pipeline(jobs, { engine, weights: Option.some(weights) }))
    }),
  )

for (const engine of ["whisper-node", "whisper-server"] as const) {
  const canRun = tools && dataDirectory !== null && (engine === "whisper-node" || inject("whisperServer") !== null)
  if (!canRun) continue
  layer(fixture(engine), { excludeTestServices: true, timeout: "2 minutes" })(`Transcriber with ${engine}`, (it) => {
    for (const language of languages) {
      for (const form of ["mp4 behind redirects", "HLS"] as const) {
        it.effect(`recognizes ${language} and its language in ${form}`, () =>
          Effect.gen(function* () {
            const { jobs, origin } = yield* Fixture
            const transcriber = yield* Transcriber
            const stages: Array<TranscribeProgress> = []
            const transcript = yield* transcriber.transcribe(
              request(form === "HLS" ? `${origin}/${language}.m3u8` : `${origin}/post/${language}`, {
                onProgress: (progress) => Effect.sync(() => void stages.push(progress)),
              }),
            )
            const words = transcript.segments.flatMap(({ text }) => text.split(" "))
            assert.strictEqual(transcript.language, language)
            // The test weights are tiny: they leave out some words and confuse others.
            const known = sentences[language].split(" ").filter((word) => words.includes(word))
            assert.isAtLeast(known.length, 2, words.join(" "))
            assert.approximately(transcript.durationSeconds, 2.6, 0.5)
            assert.deepStrictEqual([...new Set(stages.map(({ stage }) => stage))], ["downloading", "converting", "transcribing"])
            assert.deepStrictEqual(stages.at(-1), { stage: "transcribing", fraction: 1 })
            // The engine keeps a directory of its own while it runs.
            assert.strictEqual(readdirSync(jobs).length, 1)
            assert.strictEqual(processesIn(jobs).length, 1)
          }),
        )
      }
    }
    it.effect("joins the windows of a long video, in spite of an engine that is killed", () =>
      Effect.gen(function* () {
        const { jobs, origin } = yield* Fixture
        const transcriber = yield* Transcriber
        const fractions: Array<number> = []
        const transcript = yield* transcriber.transcribe(
          request(`${origin}/long.mp4`, {
            limits: { maxDurationSeconds: 120, maxBytes: 5_000_000, maxWallSeconds: 90 },
            onProgress: ({ fraction, stage }) =>
              Effect.sync(() => {
                if (stage !== "transcribing") return
                fractions.push(fraction)
                if (fractions.length === 2) for (const pid of processesIn(jobs)) process.kill(Number(pid), "SIGKILL")
              }),
          }),
        )
        assert.isAtLeast(fractions.length, 4, "progress: the start, and at least three windows")
        assert.deepStrictEqual(
          fractions,
          fractions.toSorted((one, two) => one - two),
        )
        let last = 0
        for (const { end, start } of transcript.segments) {
          assert.isTrue(start >= last && end >= start)
          last = end
        }
        // The speech goes on to the end, 0.5 s of silence excepted.
        assert.isAbove(last, transcript.durationSeconds - 15)
        assert.isAbove(transcript.durationSeconds, 60)
        assert.strictEqual(transcript.language, "en")
      }),
    )

    it.effect("a requested language is used and reported", () =>
      Effect.gen(function* () {
        const { origin } = yield* Fixture
        const transcriber = yield* Transcriber
        const transcript = yield* transcriber.transcribe(request(`${origin}/de.mp4`, { language: "de" }))
        assert.strictEqual(transcript.language, "de")
      }),
    )
    it.effect("everything is available", () =>
      Effect.gen(function* () {
        const { availability } = yield* Transcriber
        const { components, isAvailable } = yield* availability
        assert.isTrue(isAvailable, JSON.stringify(components))
      }),
    )
  })
}
