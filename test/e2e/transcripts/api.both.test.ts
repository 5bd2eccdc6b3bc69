/** The transcript endpoints over HTTP, with a worker on a fake transcriber and a real database. */
import { assert, it } from "@effect/vitest"
import type { Plan } from "@matchpoint/domain/plans"
import { DownloadFailed, NoVideo, VideoTooLong, VideoUnavailable } from "@matchpoint/service-transcripts/TranscribeFailure"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { eventually } from "@matchpoint/testing/realTime"
import { Deferred, Duration, Effect } from "effect"
import { spoken } from "../../fixtures/transcripts/FakeTranscriber.ts"
import {
  acceptedOf,
  call,
  Fake,
  jobOf,
  newCustomer,
  newTiktok,
  newTweet,
  tiktokOf,
  transcriptStack,
  twitterOf,
  usedOf,
} from "../../fixtures/transcripts/transcriptStack.ts"
import { assertError } from "../../fixtures/webhooks/webhookStack.ts"

const text = "Good evening and welcome to the grand final."

/** A customer with a helper for requests about one new TikTok video. */
const watching = Effect.fnUntraced(function* (plan: Plan = "pro") {
  const { key } = yield* newCustomer(plan)
  const url = newTiktok()
  const post = (body: Readonly<Record<string, unknown>> = {}, headers: Readonly<Record<string, string>> = {}) =>
    call(key, "POST", "/transcript/tiktok", { url, ...body }, headers)
  return { key, url, post }
})

/** Makes the transcriber wait for the returned gate. */
const gated = Effect.fnUntraced(function* (url: string) {
  const fake = yield* Fake
  const gate = yield* Deferred.make<void>()
  fake.on(url, ({ onProgress }) =>
    Effect.as(Effect.andThen(onProgress({ stage: "transcribing", fraction: 0.5 }), Deferred.await(gate)), spoken),
  )
  return { fake, open: Deferred.succeed(gate, undefined) }
})

onDatabaseOfRun((database, layer) => {
  it.layer(transcriptStack(layer), { timeout: 60_000, excludeTestServices: true })(`transcripts on ${database}`, (it) => {
    it.effect("are returned in four formats from both platforms", () =>
      Effect.gen(function* () {
        const { post, url } = yield* watching()
        const common = { language: "en", duration: 4.2, url }
        assert.deepStrictEqual(tiktokOf(yield* post()), { transcript: text, ...common, format: "text" })
        const verbose = tiktokOf(yield* post({ format: "verbose" }))
        assert.deepStrictEqual(verbose, { transcript: text, ...common, format: "verbose", segments: spoken.segments })
        assert.match(tiktokOf(yield* post({ format: "srt" })).transcript, /^1\n00:00:00,000 --> 00:00:/)
        assert.match(tiktokOf(yield* post({ format: "vtt" })).transcript, /^WEBVTT\n\n00:00:00\.000 --> 00:00:/)
        assert.strictEqual((yield* Fake).callsOf(url).length, 1)

        const { key } = yield* newCustomer()
        const tweet = newTweet()
        const answer = yield* call(key, "POST", "/transcript/twitter", { url: `${tweet}?s=20`, language: "EN" })
        assert.deepStrictEqual(twitterOf(answer), { text, ...common, url: tweet, format: "text" })
        assert.deepInclude((yield* Fake).callsOf(tweet)[0], { platform: "twitter", language: "en" })
        assert.strictEqual(answer.headers.get("cache-control"), "no-store")
      }),
    )

    it.effect("ten identical concurrent requests make one transcript and are charged once each", () =>
      Effect.gen(function* () {
        const { key, post, url } = yield* watching()
        const { fake, open } = yield* gated(url)
        const answers = yield* Effect.forEach(Array.from({ length: 10 }), () => post(), { concurrency: "unbounded" }).pipe(
          (all) =>
            Effect.all(
              [all, Effect.andThen(eventually(Effect.sync(() => fake.callsOf(url).length > 0)), Effect.delay(open, "300 millis"))],
              { concurrency: "unbounded" },
            ),
          Effect.map(([all]) => all),
        )
        for (const answer of answers) assert.strictEqual(tiktokOf(answer).transcript, text)
        assert.strictEqual(fake.callsOf(url).length, 1)
        assert.strictEqual(yield* usedOf(key), 10)
      }),
    )

    it.effect("a repeat with the same Idempotency-Key is free, another content is rejected", () =>
      Effect.gen(function* () {
        const { key, post } = yield* watching()
        const headers = { "idempotency-key": "one" }
        const answers = yield* Effect.forEach([1, 2, 3, 4], () => post({}, headers), { concurrency: "unbounded" })
        for (const answer of answers) assert.strictEqual(tiktokOf(answer).transcript, text)
        assert.strictEqual(yield* usedOf(key), 1)
        assertError(yield* post({ format: "srt" }, headers), "CONFLICT")
        assert.strictEqual(yield* usedOf(key), 1)
      }),
    )

    it.effect("video errors are 400 with a reason, cost nothing, and are answered again without another attempt", () =>
      Effect.gen(function* () {
        const fake = yield* Fake
        const { key, post, url } = yield* watching("free")
        fake.on(url, () => Effect.fail(new VideoUnavailable({})))
        for (const _ of [1, 2]) {
          const error = assertError(yield* post(), "VIDEO_REJECTED")
          assert.deepStrictEqual(error.details, { reason: "video_unavailable" })
        }
        assert.strictEqual(fake.callsOf(url).length, 1)
        const tweet = newTweet()
        fake.on(tweet, () => Effect.fail(new NoVideo({})))
        const noVideo = assertError(yield* call(key, "POST", "/transcript/twitter", { url: tweet }), "VIDEO_REJECTED")
        assert.deepStrictEqual(noVideo.details, { reason: "no_video" })
        const long = newTiktok()
        fake.on(long, ({ limits: { maxDurationSeconds } }) => Effect.fail(new VideoTooLong({ maxDurationSeconds })))
        const tooLong = assertError(yield* call(key, "POST", "/transcript/tiktok", { url: long }), "VIDEO_REJECTED")
        assert.deepStrictEqual(tooLong.details, { reason: "video_too_long" })
        assert.include(tooLong.message, "180 seconds, the limit of plan free")
        assert.strictEqual(yield* usedOf(key), 0)
      }),
    )

    it.effect("a transcript that another plan has made is not delivered beyond the limit of the caller's plan", () =>
      Effect.gen(function* () {
        const { post, url } = yield* watching("pro")
        const fake = yield* Fake
        fake.on(url, () => Effect.succeed({ ...spoken, durationSeconds: 400 }))
        assert.strictEqual(tiktokOf(yield* post()).duration, 400)
        const { key } = yield* newCustomer("free")
        assert.deepStrictEqual(assertError(yield* call(key, "POST", "/transcript/tiktok", { url }), "VIDEO_REJECTED").details, {
          reason: "video_too_long",
        })
        assert.strictEqual(yield* usedOf(key), 0)
      }),
    )

    it.effect("a failed download is tried again", () =>
      Effect.gen(function* () {
        const fake = yield* Fake
        const { post, url } = yield* watching()
        fake.on(url, () => (fake.callsOf(url).length < 3 ? Effect.fail(new DownloadFailed({})) : Effect.succeed(spoken)))
        assert.strictEqual(tiktokOf(yield* post()).transcript, text)
        assert.strictEqual(fake.callsOf(url).length, 3)
        const never = newTiktok()
        fake.on(never, () => Effect.fail(new DownloadFailed({})))
        const { key } = yield* newCustomer()
        const answer = yield* call(key, "POST", "/transcript/tiktok", { url: never })
        assert.deepInclude(assertError(answer, "TRANSCRIPTION_UNAVAILABLE").details, { reason: "download_failed" })
        assert.strictEqual(answer.headers.get("retry-after"), "30")
        assert.strictEqual(fake.callsOf(never).length, 3)
        assert.strictEqual(yield* usedOf(key), 0)
      }),
    )

    it.effect("invalid requests are rejected with advice and cost nothing", () =>
      Effect.gen(function* () {
        const { key, post, url } = yield* watching()
        const bodies: ReadonlyArray<unknown> = [
          {},
          { url: "" },
          { url: 5 },
          { url: "https://www.tiktok.com/@u" },
          { url: "https://x.com/u/status/17" },
          { url, format: "docx" },
          { url, language: "xx" },
          { url, language: "english" },
          { url, lang: "en" },
          "{",
          "[]",
        ]
        for (const body of bodies)
          assertError(yield* call(key, "POST", "/transcript/tiktok", body), "VALIDATION_ERROR", JSON.stringify(body))
        assertError(yield* call(key, "POST", "/transcript/twitter", { url: "https://t.co/x" }), "VALIDATION_ERROR")
        assertError(yield* call(key, "POST", "/transcript/tiktok", { url, padding: "x".repeat(70_000) }), "PAYLOAD_TOO_LARGE")
        assertError(yield* call(key, "GET", "/transcript/tiktok"), "METHOD_NOT_ALLOWED")
        for (const wrong of [null, "mp_wrong"]) assertError(yield* call(wrong, "POST", "/transcript/tiktok", {}), "INVALID_API_KEY")
        const problem = yield* post({ language: "xx" }, { accept: "application/problem+json" })
        assert.strictEqual(problem.headers.get("content-type"), "application/problem+json")
        assert.include(problem.text, "urn:matchpoint:error:VALIDATION_ERROR")
        assert.strictEqual((yield* Fake).callsOf(url).length, 0)
        assert.strictEqual(yield* usedOf(key), 0)
      }),
    )

    it.effect("a used quota and a used rate are rejected with 429 before any work", () =>
      Effect.gen(function* () {
        const url = newTiktok()
        const { key } = yield* newCustomer("pro", { requestsPerMonth: 1 })
        const post = () => call(key, "POST", "/transcript/tiktok", { url })
        tiktokOf(yield* post())
        const refused = newTiktok()
        const answer = yield* call(key, "POST", "/transcript/tiktok", { url: refused })
        assert.strictEqual(answer.status, 429)
        assert.include(answer.text, '"limit":"requests_per_month"')
        assert.strictEqual((yield* Fake).callsOf(refused).length, 0)
        const slow = yield* newCustomer("pro", { requestsPerSecond: 1 })
        const answers = yield* Effect.forEach(Array.from({ length: 6 }), () => call(slow.key, "GET", "/transcript/jobs/x"))
        assert.isTrue(answers.some(({ status }) => status === 429))
      }),
    )

    it.effect("an engine that is missing answers 503 with advice, free of charge", () =>
      Effect.gen(function* () {
        const { key, post } = yield* watching()
        const fake = yield* Fake
        fake.availability = { isAvailable: false, components: [{ name: "yt-dlp", version: null, problem: "is not installed" }] }
        yield* eventually(Effect.map(post(), ({ status }) => status === 503))
        const answer = yield* post()
        assert.deepInclude(assertError(answer, "TRANSCRIPTION_UNAVAILABLE").details, { reason: "not_set_up" })
        assert.notInclude(answer.text, "yt-dlp")
        fake.availability = { isAvailable: true, components: [] }
        const used = yield* usedOf(key)
        yield* eventually(Effect.map(post(), ({ status }) => status === 200))
        assert.isAbove(yield* usedOf(key), used)
      }),
    )
  })

  it.layer(transcriptStack(layer, { wait: Duration.millis(100), openJobs: 3 }), { timeout: 60_000, excludeTestServices: true })(
    `transcript jobs on ${database}`,
    (it) => {
      it.effect("a job shows its progress to its account only, and its first delivery is charged", () =>
        Effect.gen(function* () {
          const { key, post, url } = yield* watching()
          const { open } = yield* gated(url)
          const answer = yield* post({ format: "srt" })
          const accepted = acceptedOf(answer)
          assert.strictEqual(answer.headers.get("location"), accepted.job_url)
          assert.include(["queued", "running"], accepted.status)
          const path = `/transcript/jobs/${accepted.job_id}`
          const running = {
            status: "running",
            stage: "transcribing",
            progress: 0.5,
            result: null,
            error: null,
            platform: "tiktok",
            url,
            format: "srt",
          } as const
          yield* eventually(Effect.map(call(key, "GET", path), (now) => jobOf(now).progress === 0.5))
          assert.deepInclude(jobOf(yield* call(key, "GET", path)), running)
          const stranger = yield* newCustomer()
          for (const method of ["GET", "DELETE"]) assertError(yield* call(stranger.key, method, path), "NOT_FOUND")
          assertError(yield* call(key, "GET", "/transcript/jobs/unknown"), "NOT_FOUND")
          assertError(yield* call(null, "GET", path), "INVALID_API_KEY")
          assert.strictEqual(yield* usedOf(key), 0)
          yield* open
          yield* eventually(Effect.map(call(key, "GET", path), (now) => jobOf(now).status === "done"))
          const reads = yield* Effect.forEach([1, 2, 3, 4], () => call(key, "GET", path), { concurrency: "unbounded" })
          for (const read of reads) {
            const { finished_at, result } = jobOf(read)
            assert.isNotNull(finished_at)
            assert(result !== null && "transcript" in result)
            assert.match(result.transcript, /^1\n00:00:00,000/)
          }
          assert.strictEqual(yield* usedOf(key), 1)
          assert.deepInclude(jobOf(yield* call(key, "DELETE", path)), { status: "done" })
        }),
      )

      it.effect("cancelling ends the work when the last request is cancelled", () =>
        Effect.gen(function* () {
          const one = yield* watching()
          const { fake } = yield* gated(one.url)
          const first = acceptedOf(yield* one.post())
          const { key } = yield* newCustomer()
          const second = acceptedOf(yield* call(key, "POST", "/transcript/tiktok", { url: one.url }))
          yield* eventually(Effect.sync(() => fake.callsOf(one.url).length === 1))
          const before = fake.interrupted
          assert.deepInclude(jobOf(yield* call(one.key, "DELETE", `/transcript/jobs/${first.job_id}`)), {
            status: "cancelled",
            result: null,
          })
          assert.notStrictEqual(jobOf(yield* call(key, "GET", `/transcript/jobs/${second.job_id}`)).status, "cancelled")
          assert.strictEqual(fake.interrupted, before)
          yield* call(key, "DELETE", `/transcript/jobs/${second.job_id}`)
          yield* eventually(Effect.sync(() => fake.interrupted > before))
          assert.strictEqual(jobOf(yield* call(key, "GET", `/transcript/jobs/${second.job_id}`)).status, "cancelled")
          assert.strictEqual((yield* usedOf(key)) + (yield* usedOf(one.key)), 0)
        }),
      )

      it.effect("a full queue answers 503, and the limit of the plan 429", () =>
        Effect.gen(function* () {
          const { key } = yield* newCustomer("free")
          const urls = [newTiktok(), newTiktok(), newTiktok(), newTiktok()]
          const gates = yield* Effect.forEach(urls, gated)
          const post = (by: string, index: number) => call(by, "POST", "/transcript/tiktok", { url: urls[index] })
          acceptedOf(yield* post(key, 0))
          acceptedOf(yield* post(key, 1))
          const many = assertError(yield* post(key, 2), "TOO_MANY_TRANSCRIPTS")
          assert.deepStrictEqual(many.details, { limit: "transcripts", plan: "free", allowed: 2 })
          const other = yield* newCustomer()
          acceptedOf(yield* post(other.key, 2))
          const full = yield* post(other.key, 3)
          assert.deepInclude(assertError(full, "TRANSCRIPTION_UNAVAILABLE").details, { reason: "queue_full" })
          assert.strictEqual(full.headers.get("retry-after"), "60")
          // Joining a job needs no place in the queue.
          acceptedOf(yield* post(other.key, 0))
          yield* Effect.forEach(gates, ({ open }) => open)
          yield* eventually(Effect.map(post(other.key, 3), ({ status }) => status === 200))
        }),
      )
    },
  )
})
