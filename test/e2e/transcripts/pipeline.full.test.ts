/**
 * Transcripts over HTTP with the real pipeline: yt-dlp, ffmpeg and the speech engine with the test weights. A site on
 * loopback stands for the platform.
 */
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it, layer } from "@effect/vitest"
import { Transcriber } from "@matchpoint/service-transcripts/Transcriber"
import { embeddedMemory } from "@matchpoint/testing/databases"
import { temporaryDirectory } from "@matchpoint/testing/temporaryDirectory"
import { Context, Duration, Effect, Layer, Option } from "effect"
import { inject } from "vitest"
import { sentences, speak, testWeights, video } from "../../../services/transcripts/test/media.ts"
import { pipeline, processesIn } from "../../../services/transcripts/test/pipelineStack.ts"
import { file, type VideoSite, videoSite } from "../../../services/transcripts/test/videoSite.ts"
import { call, newCustomer, stackWith, tiktokOf, usedOf } from "../../fixtures/transcripts/transcriptStack.ts"
import { assertError } from "../../fixtures/webhooks/webhookStack.ts"

const dataDirectory = inject("dataDirectory")
const canRun = dataDirectory !== null && inject("ytDlp") !== null && inject("ffmpeg") !== null && inject("espeak") !== null

class Platform extends Context.Service<Platform, { readonly site: VideoSite; readonly jobs: string }>()(
  "@matchpoint/test/e2e/transcripts/pipeline.full.test/Platform",
) {}

/** Video of each post, by the number of the post. */
const posts = { "7300001": "en", "7300002": "de", "7300003": "es", "7300004": "en" } as const

const platform = Layer.effect(
  Platform,
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const jobs = join(directory, "jobs")
    yield* Effect.promise(() => mkdir(jobs))
    for (const language of ["en", "de", "es"] as const) {
      const wav = yield* Effect.promise(() => speak(directory, language, sentences[language]))
      yield* Effect.promise(() => video(directory, language, wav))
    }
    yield* Effect.promise(() => testWeights(dataDirectory ?? "", jobs))
    const routes = Object.fromEntries(Object.entries(posts).map(([post, language]) => [`/${post}.mp4`, file(directory, `${language}.mp4`)]))
    return { site: yield* videoSite(directory, routes), jobs }
  }),
)

/** The real transcriber, which downloads the videos of posts from the site. */
const transcriber = Layer.unwrap(
  Effect.map(Platform, ({ jobs, site: { origin } }) =>
    Layer.effect(
      Transcriber,
      Effect.map(Transcriber, (real) => ({
        ...real,
        transcribe: (request) =>
          real.transcribe({ ...request, url: `${origin}/${request.url.slice(request.url.lastIndexOf("/") + 1)}.mp4` }),
      })),
    ).pipe(Layer.provide(pipeline(jobs, { weights: Option.some(join(jobs, "weights.bin")) }))),
  ),
)

const urlOf = (post: string) => `https://www.tiktok.com/@u/video/${post}`

describe("transcripts with the real pipeline", () => {
  if (!canRun) return it.skip("needs yt-dlp, ffmpeg, espeak-ng and the recorded data")
  const server = stackWith(transcriber, embeddedMemory, { wait: Duration.seconds(90) }, { jobs: 1, trustCheckFor: Duration.minutes(10) })
  layer(server.pipe(Layer.provideMerge(platform)), { timeout: "2 minutes", excludeTestServices: true })((it) => {
    it.effect("speech in three languages is recognized in four formats, with its language", () =>
      Effect.gen(function* () {
        const { key } = yield* newCustomer()
        for (const [post, language] of Object.entries(posts).slice(0, 3)) {
          const body = { url: urlOf(post) }
          const spoken = tiktokOf(yield* call(key, "POST", "/transcript/tiktok", { ...body, format: "verbose" }))
          assert.strictEqual(spoken.language, language)
          // The test weights are tiny: they leave out some words and confuse others.
          const known = sentences[language].split(" ").filter((word) => spoken.transcript.split(" ").includes(word))
          assert.isAtLeast(known.length, 2, spoken.transcript)
          assert.isAbove(spoken.segments?.length ?? 0, 0)
          assert.strictEqual(tiktokOf(yield* call(key, "POST", "/transcript/tiktok", body)).transcript, spoken.transcript)
          for (const [format, pattern] of [
            ["srt", /^1\n00:00:0\d,\d{3} --> /],
            ["vtt", /^WEBVTT\n\n00:00:0/],
          ] as const) {
            assert.match(tiktokOf(yield* call(key, "POST", "/transcript/tiktok", { ...body, format })).transcript, pattern)
          }
        }
        assert.strictEqual(yield* usedOf(key), 12)
      }),
    )

    it.effect("ten identical concurrent requests cause one download and ten charges", () =>
      Effect.gen(function* () {
        const { site } = yield* Platform
        const { key } = yield* newCustomer()
        const request = call(key, "POST", "/transcript/tiktok", { url: urlOf("7300004"), language: "en" })
        const answers = yield* Effect.all(
          Array.from({ length: 10 }, () => request),
          { concurrency: "unbounded" },
        )
        const texts = new Set(answers.map((answer) => tiktokOf(answer).transcript))
        assert.strictEqual(texts.size, 1)
        // yt-dlp looks at the file before it downloads it.
        assert.isAtMost(site.requests.filter((path) => path === "/7300004.mp4").length, 2)
        assert.strictEqual(yield* usedOf(key), 10)
      }),
    )

    it.effect("a video that does not exist is rejected, and nothing of it is left", () =>
      Effect.gen(function* () {
        const { jobs } = yield* Platform
        const { key } = yield* newCustomer()
        const answer = yield* call(key, "POST", "/transcript/tiktok", { url: urlOf("7300009") })
        assert.deepStrictEqual(assertError(answer, "VIDEO_REJECTED").details, { reason: "video_unavailable" })
        assert.strictEqual(yield* usedOf(key), 0)
        // Only the engine stays.
        assert.strictEqual(processesIn(jobs).length, 1)
      }),
    )
  })
})
