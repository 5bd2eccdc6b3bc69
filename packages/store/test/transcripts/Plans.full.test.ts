/** Checks that no operation on transcripts reads a large table from end to end, with the plans that a session makes once. */
import { randomUUID } from "node:crypto"
import { assert, layer } from "@effect/vitest"
import { termsOf } from "@matchpoint/domain/accounts"
import { Migrations } from "@matchpoint/games/Migrations"
import { postgresDatabase } from "@matchpoint/testing/databases"
import { largeScans, plansOf } from "@matchpoint/testing/explain"
import { transcriptLimits } from "@matchpoint/transcripts/transcriptLimits"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { describe, inject, it } from "vitest"
import { Accounts } from "../../src/keys/Accounts.ts"
import { transcriptRepositories } from "../../src/ServiceRepositories.ts"
import type { StoreError } from "../../src/StoreError.ts"
import { TranscriptAnnouncements } from "../../src/transcripts/TranscriptAnnouncements.ts"
import { TranscriptJobs } from "../../src/transcripts/TranscriptJobs.ts"
import { TranscriptRequests } from "../../src/transcripts/TranscriptRequests.ts"

/** Finished jobs, each with a transcript and a request, and 50 open jobs. */
const MANY = 20_000
const OPEN = 50

const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { accountId } = yield* (yield* Accounts).create("plans", termsOf("pro"))
  yield* sql`
    INSERT INTO transcript_jobs (
      job_id, platform, post_id, language, url, status, max_duration_seconds, max_bytes, max_wall_seconds, due_at, created_at, finished_at)
    SELECT gen_random_uuid(), 'tiktok', n::text, '', 'https://example.com',
      CASE WHEN n <= ${OPEN} THEN 'queued' WHEN n % 10 = 0 THEN 'failed' ELSE 'done' END,
      60, 1000, 60, now(), now(), CASE WHEN n > ${OPEN} THEN now() END FROM generate_series(1, ${MANY}) AS n`
  yield* sql`
    INSERT INTO transcripts (platform, post_id, language, transcript, spoken_language, duration_seconds, expires_at)
    SELECT platform, post_id, language, '{}', 'en', 1, now() + interval '1 day' FROM transcript_jobs WHERE status = 'done'`
  yield* sql`
    INSERT INTO transcript_requests (request_id, account_id, job_id, platform, post_id, language, url, format, wants_webhook, created_at)
    SELECT gen_random_uuid(), ${accountId}, job_id, platform, post_id, language, url, 'text', false, now() FROM transcript_jobs`
  yield* sql`ANALYZE transcript_jobs, transcripts, transcript_requests`
  return accountId
})

const operations = Effect.gen(function* () {
  const accountId = yield* fill
  const [jobs, requests, announcements] = [yield* TranscriptJobs, yield* TranscriptRequests, yield* TranscriptAnnouncements]
  const gaveUp = { code: "engine_failed", message: "gave up" }
  const request = (postId: string) => ({
    requestId: randomUUID(),
    jobId: randomUUID(),
    accountId,
    platform: "tiktok" as const,
    postId,
    language: null,
    url: "https://example.com",
    format: "text" as const,
    wantsWebhook: true,
    idempotency: { key: postId, hash: new Uint8Array([1]) },
    limits: transcriptLimits.pro,
  })
  const terms = { openJobs: 1_000, openRequests: 1_000, failuresKeptMs: 60_000, lasting: ["no_video"], ofLimits: ["video_too_long"] }
  return {
    join: requests.open(request("1"), terms),
    queue: requests.open(request("new"), terms),
    get: requests.get(accountId, randomUUID()),
    finished: requests.finished([randomUUID()]),
    claim: jobs.claim({ leaseMs: 30_000, maxAttempts: 3, gaveUp }),
    open: jobs.open,
    complete: jobs.complete({ jobId: randomUUID(), fence: 1 }, { language: "en", durationSeconds: 1, segments: [] }, 1_000),
    announce: announcements.due,
  }
})

const url = inject("databaseUrl")

describe("plans of transcripts", () => {
  if (url === null) return it.skip("needs a PostgreSQL server: set DATABASE_URL")
  const stores = Layer.mergeAll(transcriptRepositories, Accounts.layer).pipe(
    Layer.provideMerge(Migrations.layer),
    Layer.provideMerge(postgresDatabase(url)),
  )
  layer(stores, { timeout: "60 seconds", excludeTestServices: true })("PostgreSQL", (it) => {
    it.effect("no operation reads a large table from end to end", () =>
      Effect.gen(function* () {
        const tables = new Set(["transcript_jobs", "transcripts", "transcript_requests"])
        for (const [name, operation] of Object.entries<Effect.Effect<unknown, StoreError>>(yield* operations)) {
          const plans = yield* plansOf(operation, true)
          assert.isAbove(plans.length, 0, name)
          assert.deepStrictEqual(largeScans(plans, tables), [], name)
        }
      }),
    )
  })
})
