import { assert, type Vitest } from "@effect/vitest"
import { type AccountId, termsOf } from "@matchpoint/domain/accounts"
import type { Transcript } from "@matchpoint/transcripts/Transcript"
import { transcriptLimits } from "@matchpoint/transcripts/transcriptLimits"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Accounts } from "../../src/keys/Accounts.ts"
import { TranscriptJobs } from "../../src/transcripts/TranscriptJobs.ts"
import { type NewRequest, type QueueTerms, TranscriptRequests } from "../../src/transcripts/TranscriptRequests.ts"
import type { TranscriptSignals } from "../../src/transcripts/TranscriptSignals.ts"

type Stores = SqlClient.SqlClient | Accounts | TranscriptJobs | TranscriptRequests | TranscriptSignals

const spoken: Transcript = { language: "en", durationSeconds: 2.5, segments: [{ start: 0, end: 2.5, text: "well \u0000 played \ud800" }] }

const terms: QueueTerms = {
  openJobs: 10,
  openRequests: 10,
  failuresKeptMs: 60_000,
  lasting: ["video_unavailable"],
  ofLimits: ["video_too_long"],
}
const claimTerms = { leaseMs: 30_000, maxAttempts: 3, gaveUp: { code: "engine_failed", message: "gave up" } }
const noProgress = { stage: null, fraction: 0 }
const DAY_MS = 86_400_000

let made = 0
const uuid = () => `00000000-0000-4000-a000-${String(++made).padStart(12, "0")}`

/** Tests share a database and a clock. Each starts without jobs. */
const start = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`DELETE FROM transcript_jobs`
  yield* sql`DELETE FROM transcript_requests`
  yield* sql`DELETE FROM transcripts`
})

const newAccount = Effect.gen(function* () {
  const accounts = yield* Accounts
  return (yield* accounts.create("transcripts", termsOf("pro"))).accountId
})

const requestOf = (accountId: AccountId, changes: Partial<NewRequest> = {}): NewRequest => ({
  requestId: uuid(),
  jobId: uuid(),
  accountId,
  platform: "tiktok",
  postId: "7301234567890123456",
  language: null,
  url: "https://www.tiktok.com/@u/video/7301234567890123456",
  format: "text",
  wantsWebhook: false,
  idempotency: undefined,
  limits: transcriptLimits.pro,
  ...changes,
})

const open = Effect.fnUntraced(function* (request: NewRequest, changes: Partial<QueueTerms> = {}) {
  return yield* (yield* TranscriptRequests).open(request, { ...terms, ...changes })
})

const stored = Effect.fnUntraced(function* (request: NewRequest, changes: Partial<QueueTerms> = {}) {
  const opened = yield* open(request, changes)
  assert(opened._tag === "Stored", opened._tag)
  return opened.request
})

const read = Effect.fnUntraced(function* ({ accountId, requestId }: NewRequest) {
  return Option.getOrThrow(yield* (yield* TranscriptRequests).get(accountId, requestId))
})

const claim = Effect.flatMap(TranscriptJobs, (jobs) => jobs.claim(claimTerms))
const claimed = Effect.map(claim, Option.getOrThrow)

export const transcriptsContract = (it: Vitest.MethodsNonLive<Stores>) => {
  it.effect("shares one open job among the requests for the same speech, and gives each the transcript", () =>
    Effect.gen(function* () {
      yield* start
      const [jobs, requests] = [yield* TranscriptJobs, yield* TranscriptRequests]
      const accounts = [yield* newAccount, yield* newAccount]
      const made = Array.from({ length: 10 }, (_, index) => requestOf(accounts[index % 2] ?? assert.fail()))
      const opened = yield* Effect.forEach(made, (request) => stored(request), { concurrency: "unbounded" })
      assert.strictEqual(new Set(opened.map(({ jobId }) => jobId)).size, 1)
      const other = yield* stored(requestOf(yield* newAccount, { language: "de" }))
      assert.notStrictEqual(other.jobId, opened[0]?.jobId)
      assert.strictEqual(yield* jobs.open, 2)
      const job = yield* claimed
      assert.deepInclude(job, {
        jobId: opened[0]?.jobId ?? "",
        platform: "tiktok",
        language: null,
        attempt: 1,
        fence: 1,
        maxDurationSeconds: 1_800,
      })
      assert.isTrue(yield* jobs.keep(job, { stage: "downloading", fraction: 0.25 }, 30_000))
      assert.deepInclude(yield* read(made[3] ?? assert.fail()), {
        status: "running",
        stage: "downloading",
        progress: 0.25,
        transcript: null,
      })
      assert.deepStrictEqual(yield* requests.finished([job.jobId, uuid()].slice(0, 1)), new Set())
      assert.isTrue(yield* jobs.complete(job, spoken, DAY_MS))
      assert.deepStrictEqual(yield* requests.finished([job.jobId, other.jobId ?? ""]), new Set([job.jobId]))
      for (const request of made) {
        assert.deepInclude(yield* read(request), { status: "done", progress: 1, transcript: spoken, error: null, isBilled: false })
        const bills = yield* Effect.forEach([1, 2, 3], () => requests.bill(request.accountId, request.requestId), {
          concurrency: "unbounded",
        })
        assert.deepStrictEqual(bills.filter((first) => first).length, 1)
        assert.isTrue((yield* read(request)).isBilled)
      }
      assert.isTrue(Option.isNone(yield* requests.get(yield* newAccount, made[0]?.requestId ?? "")))
    }),
  )

  it.effect("answers from the stored transcript until it expires, then queues a job", () =>
    Effect.gen(function* () {
      yield* start
      const jobs = yield* TranscriptJobs
      const accountId = yield* newAccount
      const first = requestOf(accountId)
      yield* stored(first)
      yield* jobs.complete(yield* claimed, spoken, DAY_MS)
      assert.deepInclude(yield* stored(requestOf(accountId)), { jobId: null, status: "done", transcript: spoken })
      yield* TestClock.adjust(DAY_MS)
      assert.deepInclude(yield* read(first), { status: "expired", transcript: null })
      assert.deepInclude(yield* stored(requestOf(accountId)), { status: "queued" })
      yield* TestClock.adjust(1)
      assert.isAbove(yield* jobs.prune(yield* Effect.clockWith((clock) => clock.currentTimeMillis)), 0)
      assert.isTrue(Option.isNone(yield* (yield* TranscriptRequests).get(accountId, first.requestId)))
      assert.strictEqual(yield* jobs.open, 1)
    }),
  )

  it.effect("a request with a known idempotency key is the same request", () =>
    Effect.gen(function* () {
      yield* start
      const accountId = yield* newAccount
      const idempotency = { key: "one", hash: new Uint8Array([1]) }
      const first = requestOf(accountId, { idempotency })
      yield* stored(first)
      const repeats = yield* Effect.forEach([1, 2], () => open(requestOf(accountId, { idempotency })), { concurrency: "unbounded" })
      for (const repeat of repeats) {
        assert(repeat._tag === "Stored" && repeat.isRepeated)
        assert.strictEqual(repeat.request.requestId, first.requestId)
      }
      const other = yield* open(requestOf(accountId, { idempotency: { key: "one", hash: new Uint8Array([2]) } }))
      assert.strictEqual(other._tag, "OtherRequest")
      assert.notStrictEqual((yield* stored(requestOf(yield* newAccount, { idempotency }))).requestId, first.requestId)
    }),
  )

  it.effect("bounds the queue and the open requests of an account", () =>
    Effect.gen(function* () {
      yield* start
      const accountId = yield* newAccount
      const at = (postId: string, changes: Partial<NewRequest> = {}) => requestOf(accountId, { postId, ...changes })
      yield* stored(at("1"))
      yield* stored(at("2"))
      assert.strictEqual((yield* open(at("3"), { openJobs: 2 }))._tag, "QueueFull")
      // Joining an open job needs no place in the queue.
      yield* stored(at("2"), { openJobs: 2 })
      assert.strictEqual((yield* open(at("3"), { openRequests: 3 }))._tag, "TooManyOpen")
      yield* stored(requestOf(yield* newAccount, { postId: "3" }), { openRequests: 3 })
      const many = yield* Effect.forEach(["4", "5", "6", "7"], (postId) => open(at(postId), { openRequests: 5 }), {
        concurrency: "unbounded",
      })
      assert.strictEqual(many.filter(({ _tag }) => _tag === "Stored").length, 2)
    }),
  )

  it.effect("two workers never hold the same job, and a worker that lost its claim changes nothing", () =>
    Effect.gen(function* () {
      yield* start
      const jobs = yield* TranscriptJobs
      const accountId = yield* newAccount
      const request = requestOf(accountId)
      yield* stored(request)
      const claims = yield* Effect.forEach([1, 2, 3, 4], () => claim, { concurrency: "unbounded" })
      const [first, ...others] = claims.flatMap(Option.toArray)
      assert(first !== undefined)
      assert.deepStrictEqual(others, [])
      yield* TestClock.adjust("20 seconds")
      assert.isTrue(yield* jobs.keep(first, noProgress, 30_000))
      yield* TestClock.adjust("20 seconds")
      assert.isTrue(Option.isNone(yield* claim))
      yield* TestClock.adjust("11 seconds")
      const second = yield* claimed
      assert.deepInclude(second, { jobId: first.jobId, attempt: 2, fence: 2 })
      assert.isFalse(yield* jobs.keep(first, noProgress, 30_000))
      assert.isFalse(yield* jobs.complete(first, spoken, DAY_MS))
      assert.isTrue(Option.isNone(yield* jobs.fail(first, { error: claimTerms.gaveUp, retryAt: null, exceeded: null })))
      yield* jobs.release(first)
      assert.deepInclude(yield* read(request), { status: "running", transcript: null })
      assert.isTrue(yield* jobs.complete(second, spoken, DAY_MS))
      assert.isFalse(yield* jobs.complete(second, spoken, DAY_MS))
      assert.strictEqual((yield* read(request)).status, "done")
    }),
  )

  it.effect("a job fails after its last attempt, and a released attempt does not count", () =>
    Effect.gen(function* () {
      yield* start
      const jobs = yield* TranscriptJobs
      const request = requestOf(yield* newAccount)
      yield* stored(request)
      yield* jobs.release(yield* claimed)
      for (const attempt of [1, 2, 3]) {
        assert.strictEqual((yield* claimed).attempt, attempt)
        yield* TestClock.adjust("31 seconds")
      }
      assert.isTrue(Option.isNone(yield* claim))
      assert.deepInclude(yield* read(request), { status: "failed", error: claimTerms.gaveUp })
    }),
  )

  it.effect("a failed attempt is made again at its time", () =>
    Effect.gen(function* () {
      yield* start
      const jobs = yield* TranscriptJobs
      const request = requestOf(yield* newAccount)
      yield* stored(request)
      const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
      const error = { code: "download_failed", message: "the platform did not answer" }
      const after = yield* jobs.fail(yield* claimed, { error, retryAt: now + 5_000, exceeded: null })
      assert.deepStrictEqual(after, Option.some("queued"))
      assert.isTrue(Option.isNone(yield* claim))
      assert.deepInclude(yield* read(request), { status: "queued", error: null })
      yield* TestClock.adjust("5 seconds")
      assert.deepStrictEqual(yield* jobs.fail(yield* claimed, { error, retryAt: null, exceeded: null }), Option.some("failed"))
      assert.deepInclude(yield* read(request), { status: "failed", error })
      // The failure does not last, so the next request tries again.
      assert.strictEqual((yield* stored(requestOf(request.accountId))).status, "queued")
    }),
  )

  it.effect("a lasting failure is answered again for a while, one of limits only to requests without larger limits", () =>
    Effect.gen(function* () {
      yield* start
      const jobs = yield* TranscriptJobs
      const accountId = yield* newAccount
      yield* stored(requestOf(accountId))
      const gone = { code: "video_unavailable", message: "the video is private" }
      yield* jobs.fail(yield* claimed, { error: gone, retryAt: null, exceeded: null })
      assert.deepStrictEqual(yield* open(requestOf(accountId)), { _tag: "FailedBefore", error: gone })
      yield* TestClock.adjust("60 seconds")
      yield* stored(requestOf(accountId, { limits: transcriptLimits.free }))
      const long = { code: "video_too_long", message: "too long" }
      yield* jobs.fail(yield* claimed, { error: long, retryAt: null, exceeded: transcriptLimits.free })
      assert.deepStrictEqual(yield* open(requestOf(accountId, { limits: transcriptLimits.free })), { _tag: "FailedBefore", error: long })
      assert.strictEqual((yield* stored(requestOf(accountId))).status, "queued")
    }),
  )

  it.effect("a job that exceeded its limits is tried again if a request has raised them meanwhile", () =>
    Effect.gen(function* () {
      yield* start
      const jobs = yield* TranscriptJobs
      const accountId = yield* newAccount
      yield* stored(requestOf(accountId, { limits: transcriptLimits.free }))
      const job = yield* claimed
      assert.strictEqual(job.maxDurationSeconds, transcriptLimits.free.maxDurationSeconds)
      yield* stored(requestOf(accountId))
      const exceeded = { error: { code: "video_too_long", message: "too long" }, retryAt: null, exceeded: transcriptLimits.free }
      assert.deepStrictEqual(yield* jobs.fail(job, exceeded), Option.some("queued"))
      const again = yield* claimed
      assert.strictEqual(again.maxDurationSeconds, transcriptLimits.pro.maxDurationSeconds)
      assert.deepStrictEqual(yield* jobs.fail(again, { ...exceeded, exceeded: transcriptLimits.pro }), Option.some("failed"))
    }),
  )

  it.effect("cancelling stops the job if no other request needs it", () =>
    Effect.gen(function* () {
      yield* start
      const [jobs, requests] = [yield* TranscriptJobs, yield* TranscriptRequests]
      const [one, other] = [requestOf(yield* newAccount), requestOf(yield* newAccount)]
      yield* stored(one)
      yield* stored(other)
      const job = yield* claimed
      assert.isTrue(Option.isNone(yield* requests.cancel(other.accountId, one.requestId)))
      assert.deepInclude(Option.getOrThrow(yield* requests.cancel(one.accountId, one.requestId)), { status: "cancelled" })
      assert.strictEqual((yield* read(other)).status, "running")
      assert.isTrue(yield* jobs.keep(job, noProgress, 30_000))
      yield* requests.cancel(other.accountId, other.requestId)
      assert.isFalse(yield* jobs.keep(job, noProgress, 30_000))
      assert.isFalse(yield* jobs.complete(job, spoken, DAY_MS))
      assert.strictEqual((yield* read(other)).status, "cancelled")
      assert.strictEqual((yield* stored(requestOf(one.accountId))).status, "queued")
      // A finished request stays as it is.
      yield* jobs.complete(yield* claimed, spoken, DAY_MS)
      const done = requestOf(one.accountId)
      yield* stored(done)
      assert.deepInclude(Option.getOrThrow(yield* requests.cancel(done.accountId, done.requestId)), { status: "done" })
    }),
  )
}
