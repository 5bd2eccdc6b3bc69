/**
 * Requests for transcripts, as the API makes them. Requests for the same speech share one open job. Each request is
 * billed once, when its transcript is delivered. `TranscriptJobs` is the side of the workers.
 */
import { PgClient } from "@effect/sql-pg"
import type { TranscriptFormat } from "@matchpoint/contracts/http/transcripts/transcriptModels"
import type { AccountId } from "@matchpoint/domain/accounts"
import type { TranscriptLimits } from "@matchpoint/transcripts/transcriptLimits"
import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { OperationTimeout, type StoreError, storeFn } from "../StoreError.ts"
import { TranscriptSignals } from "./TranscriptSignals.ts"
import { JobError, languageColumn, StoredRequest, type TranscriptKey } from "./transcriptRows.ts"

export interface NewRequest extends TranscriptKey {
  /** UUID of the request; `jobId` is that of the job if one must be queued. */
  readonly requestId: string
  readonly jobId: string
  readonly accountId: AccountId
  readonly url: string
  readonly format: TranscriptFormat
  readonly wantsWebhook: boolean
  /** A later request of the account with the same key is the same request. */
  readonly idempotency: { readonly key: string; readonly hash: Uint8Array } | undefined
  readonly limits: TranscriptLimits
}

export interface QueueTerms {
  /** Limit for all accounts together. */
  readonly openJobs: number
  /** Limit for the account that requests. */
  readonly openRequests: number
  /** For this long, in milliseconds, a lasting failure is returned again instead of a new job. */
  readonly failuresKeptMs: number
  /** Codes of failures that cannot go away soon. */
  readonly lasting: ReadonlyArray<string>
  /** Codes of failures that larger limits may avoid. Such a failure does not count for a request with larger limits. */
  readonly ofLimits: ReadonlyArray<string>
}

export type Opened =
  /** `isRepeated` is true if this is an earlier request with the same idempotency key. */
  | { readonly _tag: "Stored"; readonly request: StoredRequest; readonly isRepeated: boolean }
  /** The same job failed a short time ago. Nothing is stored. */
  | { readonly _tag: "FailedBefore"; readonly error: JobError }
  /** The idempotency key belongs to a request with other content. */
  | { readonly _tag: "OtherRequest" }
  | { readonly _tag: "QueueFull" }
  | { readonly _tag: "TooManyOpen" }

export class TranscriptRequests extends Context.Service<
  TranscriptRequests,
  {
    /** Uses the stored transcript, joins the open job, or queues a job. */
    readonly open: (request: NewRequest, terms: QueueTerms) => Effect.Effect<Opened, StoreError>
    readonly get: (accountId: AccountId, requestId: string) => Effect.Effect<Option.Option<StoredRequest>, StoreError>
    /** Returns true only for the first call. */
    readonly bill: (accountId: AccountId, requestId: string) => Effect.Effect<boolean, StoreError>
    /** Cancels a request that is not finished, and its job if no other request needs it. */
    readonly cancel: (accountId: AccountId, requestId: string) => Effect.Effect<Option.Option<StoredRequest>, StoreError>
    /** Returns those of the jobs that are finished or gone. */
    readonly finished: (jobIds: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>, StoreError>
  }
>()("@matchpoint/store/transcripts/TranscriptRequests") {
  static readonly layer = Layer.effect(
    TranscriptRequests,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout
      const signals = yield* TranscriptSignals

      const columns = (now: Date) => sql`
        r.request_id::text AS "requestId", r.job_id::text AS "jobId", r.platform, r.url, r.format,
        CASE WHEN r.cancelled_at IS NOT NULL THEN 'cancelled' WHEN coalesce(j.status, 'done') <> 'done' THEN j.status
          WHEN t.transcript IS NULL THEN 'expired' ELSE 'done' END AS status,
        j.stage, CASE WHEN coalesce(j.status, 'done') = 'done' THEN 1 ELSE j.progress END AS progress,
        CASE WHEN j.status = 'failed' THEN json_build_object('code', j.error_code, 'message', j.error_message) END AS error,
        t.transcript, r.billed_at IS NOT NULL AS "isBilled", floor(extract(epoch FROM r.created_at) * 1000)::bigint AS "createdAt",
        floor(extract(epoch FROM coalesce(r.cancelled_at, j.finished_at, CASE WHEN j.job_id IS NULL THEN r.created_at END)) * 1000)::bigint AS "finishedAt"
        FROM transcript_requests r LEFT JOIN transcript_jobs j USING (job_id)
        LEFT JOIN transcripts t ON t.platform = r.platform AND t.post_id = r.post_id AND t.language = r.language AND t.expires_at > ${now}`

      const decode = Schema.decodeUnknownEffect(Schema.Array(StoredRequest))

      const get = Effect.fnUntraced(function* (accountId: AccountId, requestId: string) {
        const now = dateOf(yield* Clock.currentTimeMillis)
        const rows = yield* sql`SELECT ${columns(now)} WHERE r.account_id = ${accountId} AND r.request_id = ${requestId}`
        return Option.fromUndefinedOr((yield* decode(rows))[0])
      })

      const earlierOf = SqlSchema.findOneOption({
        Request: Schema.Struct({ accountId: Schema.String, key: Schema.String }),
        Result: Schema.Struct({ requestId: Schema.String, hash: Schema.Uint8Array }),
        execute: ({ accountId, key }) => sql`
          SELECT request_id::text AS "requestId", request_hash AS hash FROM transcript_requests
          WHERE account_id = ${accountId} AND idempotency_key = ${key}`,
      })

      const matching = ({ language, platform, postId }: TranscriptKey) =>
        sql`platform = ${platform} AND post_id = ${postId} AND language = ${languageColumn(language)}`

      const isTranscribed = (one: NewRequest, now: Date) =>
        Effect.map(sql`SELECT FROM transcripts WHERE ${matching(one)} AND expires_at > ${now}`, (rows) => rows.length > 0)

      const failureOf = (one: NewRequest, { failuresKeptMs, lasting, ofLimits }: QueueTerms, now: Date) =>
        Effect.flatMap(
          sql`SELECT error_code AS code, error_message AS message FROM transcript_jobs
            WHERE ${matching(one)} AND status = 'failed' AND finished_at > ${dateOf(now.getTime() - failuresKeptMs)}
              AND (error_code = ANY(${lasting}::text[]) OR error_code = ANY(${ofLimits}::text[])
                AND max_duration_seconds >= ${one.limits.maxDurationSeconds} AND max_bytes >= ${one.limits.maxBytes}
                AND max_wall_seconds >= ${one.limits.maxWallSeconds})
            ORDER BY finished_at DESC LIMIT 1`,
          Schema.decodeUnknownEffect(Schema.Array(JobError)),
        )

      /** Joins the open job, if any, and raises its limits to those of the request. */
      const join = (one: NewRequest) =>
        jobIdOf(sql`
          UPDATE transcript_jobs SET max_duration_seconds = greatest(max_duration_seconds, ${one.limits.maxDurationSeconds}),
            max_bytes = greatest(max_bytes, ${one.limits.maxBytes}), max_wall_seconds = greatest(max_wall_seconds, ${one.limits.maxWallSeconds})
          WHERE ${matching(one)} AND status IN ('queued', 'running') RETURNING job_id::text AS "jobId"`)

      const queue = (one: NewRequest, { openJobs }: QueueTerms, now: Date) =>
        jobIdOf(sql`
          INSERT INTO transcript_jobs AS j (
            job_id, platform, post_id, language, url, max_duration_seconds, max_bytes, max_wall_seconds, due_at, created_at)
          SELECT ${one.jobId}::uuid, ${one.platform}, ${one.postId}, ${languageColumn(one.language)}, ${one.url},
            ${one.limits.maxDurationSeconds}::integer, ${one.limits.maxBytes}::bigint, ${one.limits.maxWallSeconds}::integer, ${now}, ${now}
          WHERE (SELECT count(*) FROM transcript_jobs WHERE status IN ('queued', 'running')) < ${openJobs}
          ON CONFLICT (platform, post_id, language) WHERE status IN ('queued', 'running') DO UPDATE
          SET max_duration_seconds = greatest(j.max_duration_seconds, excluded.max_duration_seconds),
            max_bytes = greatest(j.max_bytes, excluded.max_bytes), max_wall_seconds = greatest(j.max_wall_seconds, excluded.max_wall_seconds)
          RETURNING job_id::text AS "jobId"`)

      const openRequests = (accountId: AccountId) => sql`
        SELECT r.request_id FROM transcript_jobs j JOIN transcript_requests r USING (job_id)
        WHERE j.status IN ('queued', 'running') AND r.account_id = ${accountId} AND r.cancelled_at IS NULL`

      const insert = (one: NewRequest, jobId: string | null, now: Date) => sql`
        INSERT INTO transcript_requests (
          request_id, account_id, job_id, platform, post_id, language, url, format, wants_webhook, idempotency_key, request_hash, created_at)
        VALUES (
          ${one.requestId}, ${one.accountId}, ${jobId}, ${one.platform}, ${one.postId}, ${languageColumn(one.language)}, ${one.url},
          ${one.format}, ${one.wantsWebhook}, ${one.idempotency?.key ?? null}, ${one.idempotency?.hash ?? null}, ${now})`

      const stored = Effect.fnUntraced(function* (accountId: AccountId, requestId: string, isRepeated: boolean) {
        return { _tag: "Stored", request: Option.getOrThrow(yield* get(accountId, requestId)), isRepeated } as const
      })

      const open = Effect.fnUntraced(function* (one: NewRequest, terms: QueueTerms) {
        const now = dateOf(yield* Clock.currentTimeMillis)
        // Concurrent requests of the account must not exceed the maximum or use the same idempotency key.
        yield* sql`SELECT FROM accounts WHERE account_id = ${one.accountId} FOR UPDATE`
        if (one.idempotency !== undefined) {
          const earlier = yield* earlierOf({ accountId: one.accountId, key: one.idempotency.key })
          if (Option.isSome(earlier)) {
            const isSame = Buffer.compare(earlier.value.hash, one.idempotency.hash) === 0
            return isSame ? yield* stored(one.accountId, earlier.value.requestId, true) : ({ _tag: "OtherRequest" } as const)
          }
        }
        const saved = (jobId: string | null) => Effect.andThen(insert(one, jobId, now), stored(one.accountId, one.requestId, false))
        if (yield* isTranscribed(one, now)) return yield* saved(null)
        const [failure] = yield* failureOf(one, terms, now)
        if (failure !== undefined) return { _tag: "FailedBefore", error: failure } as const
        if ((yield* openRequests(one.accountId)).length >= terms.openRequests) return { _tag: "TooManyOpen" } as const
        const jobId = (yield* join(one)) ?? (yield* queue(one, terms, now))
        if (jobId === undefined) return { _tag: "QueueFull" } as const
        // The job that was open at the first look may have been finished since.
        if (jobId === one.jobId && (yield* isTranscribed(one, now))) {
          yield* sql`DELETE FROM transcript_jobs WHERE job_id = ${jobId}`
          return yield* saved(null)
        }
        return yield* saved(jobId)
      })

      const cancel = Effect.fnUntraced(function* (accountId: AccountId, requestId: string) {
        const now = dateOf(yield* Clock.currentTimeMillis)
        const found = yield* get(accountId, requestId)
        if (Option.isNone(found) || found.value.jobId === null) return found
        // No other request may join the job before it is cancelled.
        const isOpen = yield* sql`
          SELECT FROM transcript_jobs WHERE job_id = ${found.value.jobId} AND status IN ('queued', 'running') FOR UPDATE`
        if (isOpen.length === 0) return yield* get(accountId, requestId)
        yield* sql`UPDATE transcript_requests SET cancelled_at = ${now} WHERE request_id = ${requestId} AND cancelled_at IS NULL`
        yield* sql`
          UPDATE transcript_jobs j SET status = 'cancelled', finished_at = ${now}
          WHERE job_id = ${found.value.jobId}
            AND NOT EXISTS (SELECT FROM transcript_requests r WHERE r.job_id = j.job_id AND r.cancelled_at IS NULL)`
        return yield* get(accountId, requestId)
      })

      const finished = (jobIds: ReadonlyArray<string>) =>
        Effect.map(
          sql<{ readonly jobId: string }>`
            SELECT job_id::text AS "jobId" FROM transcript_jobs WHERE job_id = ANY(${jobIds}::uuid[]) AND status IN ('queued', 'running')`,
          (rows) => {
            const isOpen = new Set(rows.map(({ jobId }) => jobId))
            return new Set(jobIds.filter((jobId) => !isOpen.has(jobId)))
          },
        )

      const bill = Effect.fnUntraced(function* (accountId: AccountId, requestId: string) {
        const now = dateOf(yield* Clock.currentTimeMillis)
        const rows = yield* sql`UPDATE transcript_requests SET billed_at = ${now}
          WHERE account_id = ${accountId} AND request_id = ${requestId} AND billed_at IS NULL RETURNING 1 AS one`
        return rows.length > 0
      })

      return TranscriptRequests.of({
        open: storeFn("TranscriptRequests.open", limit, (one, terms) =>
          Effect.tap(sql.withTransaction(open(one, terms)), signals.queued.send),
        ),
        get: storeFn("TranscriptRequests.get", limit, get),
        bill: storeFn("TranscriptRequests.bill", limit, bill),
        cancel: storeFn("TranscriptRequests.cancel", limit, (accountId, requestId) =>
          Effect.tap(sql.withTransaction(cancel(accountId, requestId)), signals.finished.send),
        ),
        finished: storeFn("TranscriptRequests.finished", limit, finished),
      })
    }),
  )
}

const decodeJobIds = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ jobId: Schema.String })))

const jobIdOf = <E>(rows: Effect.Effect<ReadonlyArray<unknown>, E>) => Effect.map(Effect.flatMap(rows, decodeJobIds), ([row]) => row?.jobId)

const dateOf = (ms: number): Date => new Date(ms)
