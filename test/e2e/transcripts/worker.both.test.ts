/** Transcript workers on a real database: crashes, stale workers, concurrency and webhook events. */
import { randomUUID } from "node:crypto"
import { assert, it } from "@effect/vitest"
import { transcriptWebhookEvents } from "@matchpoint/contracts/webhook/transcriptEvents"
import { type AccountId, termsOf } from "@matchpoint/domain/accounts"
import { Migrations } from "@matchpoint/games/Migrations"
import { Repositories } from "@matchpoint/games/Repositories"
import { prune } from "@matchpoint/service-transcripts/jobs/TranscriptUpkeep"
import { TranscriptWorker } from "@matchpoint/service-transcripts/jobs/TranscriptWorker"
import type { TranscriptWorkerSettings } from "@matchpoint/service-transcripts/jobs/TranscriptWorkerConfig"
import { EngineFailed, TranscriptionUnavailable, VideoUnavailable } from "@matchpoint/service-transcripts/TranscribeFailure"
import { Accounts } from "@matchpoint/store/keys/Accounts"
import { TranscriptRequests } from "@matchpoint/store/transcripts/TranscriptRequests"
import { WebhookSubscriptions } from "@matchpoint/store/webhooks/WebhookSubscriptions"
import { onDatabaseOfRun } from "@matchpoint/testing/bothRuns"
import { eventually } from "@matchpoint/testing/realTime"
import { transcriptLimits } from "@matchpoint/transcripts/transcriptLimits"
import { Deferred, Duration, Effect, Exit, Layer, Option, Schema, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { FakeTranscriber, spoken } from "../../fixtures/transcripts/FakeTranscriber.ts"
import { newTiktok, workerSettings } from "../../fixtures/transcripts/transcriptStack.ts"

const terms = { openJobs: 100, openRequests: 100, failuresKeptMs: 0, lasting: [], ofLimits: [] }

const newAccount = Effect.orDie(
  Effect.map(
    Effect.flatMap(Accounts, (accounts) => accounts.create("worker", termsOf("pro"))),
    ({ accountId }) => accountId,
  ),
)

/** Requests the transcript of a post, and returns an effect that reads the request. */
const request = Effect.fnUntraced(function* (accountId: AccountId, url: string, wantsWebhook = false) {
  const requests = yield* TranscriptRequests
  const requestId = randomUUID()
  const postId = url.slice(url.lastIndexOf("/") + 1)
  const wanted = { platform: "tiktok", postId, language: null, url, format: "text", wantsWebhook, idempotency: undefined } as const
  const opened = yield* requests.open({ requestId, jobId: randomUUID(), accountId, ...wanted, limits: transcriptLimits.pro }, terms)
  assert.strictEqual(opened._tag, "Stored")
  return { requestId, read: Effect.map(requests.get(accountId, requestId), Option.getOrThrow) }
})

/** Starts a worker and returns an effect that stops it. */
const startWorker = Effect.fnUntraced(function* (fake: FakeTranscriber, changes: Partial<TranscriptWorkerSettings> = {}) {
  const scope = yield* Scope.make()
  yield* Layer.buildWithScope(Layer.fresh(TranscriptWorker.layer).pipe(Layer.provide([fake.layer, workerSettings(changes)])), scope)
  yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
  return { stop: Scope.close(scope, Exit.void) }
})

const statusIs = <E>(read: Effect.Effect<{ readonly status: string }, E>, status: string) =>
  eventually(Effect.map(read, (one) => one.status === status))

onDatabaseOfRun((database, driver) =>
  it.layer(Repositories.layer.pipe(Layer.provideMerge(Migrations.layer), Layer.provideMerge(driver)), {
    timeout: 60_000,
    excludeTestServices: true,
  })(`transcript workers on ${database}`, (it) => {
    it.effect("a worker that stops returns its job, and the next worker makes the transcript", () =>
      Effect.gen(function* () {
        const [url, accountId] = [newTiktok(), yield* newAccount]
        const [first, second] = [new FakeTranscriber(), new FakeTranscriber()]
        first.on(url, () => Effect.never)
        const { read } = yield* request(accountId, url)
        const { stop } = yield* startWorker(first)
        yield* eventually(Effect.sync(() => first.calls.length === 1))
        yield* stop
        assert.strictEqual(first.interrupted, 1)
        assert.deepInclude(yield* read, { status: "queued", stage: null, progress: 0 })
        yield* startWorker(second)
        yield* statusIs(read, "done")
        assert.strictEqual(second.calls.length, 1)
      }),
    )

    it.effect("a job of a dead worker is made again after its lease, and the dead worker's result is dropped", () =>
      Effect.gen(function* () {
        const [url, accountId] = [newTiktok(), yield* newAccount]
        const frozen = new FakeTranscriber()
        const gate = yield* Deferred.make<void>()
        frozen.on(url, () => Effect.as(Deferred.await(gate), { ...spoken, language: "xx" }))
        const { read } = yield* request(accountId, url)
        // This worker gives no sign of life during the test, as if its process were frozen.
        yield* startWorker(frozen, { leaseMs: 300, keepEvery: Duration.minutes(10), jobs: 1 })
        yield* eventually(Effect.sync(() => frozen.calls.length === 1))
        const healthy = new FakeTranscriber()
        const worker = yield* startWorker(healthy)
        yield* statusIs(read, "done")
        assert.strictEqual(healthy.calls.length, 1)
        yield* worker.stop
        yield* Deferred.succeed(gate, undefined)
        // The frozen worker takes its next job only after it has tried to store its result.
        const next = yield* request(accountId, newTiktok())
        yield* statusIs(next.read, "done")
        assert.strictEqual(frozen.calls.length, 2)
        assert.deepStrictEqual((yield* read).transcript, spoken)
      }),
    )

    it.effect("a job that lives longer than its lease is not given to another worker", () =>
      Effect.gen(function* () {
        const [url, accountId] = [newTiktok(), yield* newAccount]
        const fake = new FakeTranscriber()
        fake.on(url, () => Effect.delay(Effect.succeed(spoken), "700 millis"))
        const { read } = yield* request(accountId, url)
        for (const _ of [1, 2, 3]) yield* startWorker(fake, { leaseMs: 300 })
        yield* statusIs(read, "done")
        assert.strictEqual(fake.calls.length, 1)
      }),
    )

    it.effect("several workers make each transcript once", () =>
      Effect.gen(function* () {
        const accountId = yield* newAccount
        const fake = new FakeTranscriber()
        const urls = Array.from({ length: 20 }, newTiktok)
        const made = yield* Effect.forEach(urls, (url) => request(accountId, url))
        for (const _ of [1, 2, 3]) yield* startWorker(fake)
        for (const { read } of made) yield* statusIs(read, "done")
        assert.strictEqual(fake.mostPerJob, 1)
        assert.deepStrictEqual(fake.calls.map(({ url }) => url).sort(), [...urls].sort())
      }),
    )

    it.effect("a job that crashes the worker each time fails after its attempts, a bug in the engine too", () =>
      Effect.gen(function* () {
        const accountId = yield* newAccount
        const fake = new FakeTranscriber()
        const [failing, buggy] = [newTiktok(), newTiktok()]
        fake.on(failing, () => Effect.fail(new EngineFailed({})))
        fake.on(buggy, () => Effect.die(new Error("a bug")))
        const [one, two] = [yield* request(accountId, failing), yield* request(accountId, buggy)]
        yield* startWorker(fake)
        for (const { read } of [one, two]) {
          yield* statusIs(read, "failed")
          assert.deepInclude((yield* read).error, { code: "engine_failed" })
        }
        assert.deepStrictEqual([fake.callsOf(failing).length, fake.callsOf(buggy).length], [3, 3])
      }),
    )

    it.effect("a job keeps its attempts while the tools are missing", () =>
      Effect.gen(function* () {
        const [url, accountId] = [newTiktok(), yield* newAccount]
        const fake = new FakeTranscriber()
        fake.on(url, () =>
          fake.calls.length < 6 ? Effect.fail(new TranscriptionUnavailable({ detail: "no weights" })) : Effect.succeed(spoken),
        )
        const { read } = yield* request(accountId, url)
        yield* startWorker(fake)
        yield* statusIs(read, "done")
        assert.strictEqual(fake.calls.length, 6)
      }),
    )

    it.effect("webhook events reach only the account that asked, and only once", () =>
      Effect.gen(function* () {
        const fake = new FakeTranscriber()
        const sql = yield* SqlClient.SqlClient
        const [asked, silent] = [yield* newAccount, yield* newAccount]
        const names = ["transcript.completed", "transcript.failed"]
        const [mine] = yield* Effect.forEach([asked, silent], (accountId) => subscribe(accountId, names))
        const [good, bad] = [newTiktok(), newTiktok()]
        fake.on(bad, () => Effect.fail(new VideoUnavailable({})))
        const made = [yield* request(asked, good, true), yield* request(asked, bad, true), yield* request(asked, good)]
        yield* request(silent, good)
        const { stop } = yield* startWorker(fake)
        const stored = sql<{ readonly name: string; readonly data: string; readonly id: string; readonly by: string }>`
            SELECT e.name, e.data, e.event_id AS id, d.subscription_id::text AS by
            FROM webhook_events e JOIN webhook_deliveries d USING (event_id) WHERE e.name LIKE 'transcript.%' ORDER BY e.name`
        yield* eventually(Effect.map(stored, (rows) => rows.length >= 2))
        yield* stop
        const rows = yield* stored
        assert.deepStrictEqual(
          rows.map(({ by, id, name }) => [name, id, by]),
          [
            ["transcript.completed", `evt_transcript_${made[0]?.requestId}`, mine],
            ["transcript.failed", `evt_transcript_${made[1]?.requestId}`, mine],
          ],
        )
        const [completed, failed] = rows.map(({ data }) => data)
        const strict = { onExcessProperty: "error" } as const
        const done = Schema.decodeUnknownSync(
          Schema.fromJsonString(transcriptWebhookEvents["transcript.completed"].data),
          strict,
        )(completed)
        assert.deepInclude(done, { job_id: made[0]?.requestId ?? "", language: "en", duration: 4.2, url: good })
        const lost = Schema.decodeUnknownSync(Schema.fromJsonString(transcriptWebhookEvents["transcript.failed"].data), strict)(failed)
        assert.deepInclude(lost.error, { code: "video_unavailable" })
      }),
    )

    it.effect("upkeep deletes nothing that is still needed", () =>
      Effect.gen(function* () {
        const [url, accountId] = [newTiktok(), yield* newAccount]
        const { read } = yield* request(accountId, url)
        yield* startWorker(new FakeTranscriber())
        yield* statusIs(read, "done")
        yield* prune
        assert.strictEqual((yield* read).status, "done")
      }),
    )
  }),
)

const subscribe = Effect.fnUntraced(function* (accountId: AccountId, events: ReadonlyArray<string>) {
  const subscriptionId = randomUUID()
  const settings = {
    url: "https://example.com/hook",
    description: "",
    events,
    games: [],
    matchIds: [],
    teamIds: [],
    playerIds: [],
    maxPerSecond: null,
  }
  yield* (yield* WebhookSubscriptions).create(
    accountId,
    { subscriptionId, ...settings, secret: new Uint8Array([1]), idempotency: undefined },
    10,
  )
  return subscriptionId
})
