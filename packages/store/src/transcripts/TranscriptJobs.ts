/**
 * Distributes transcript jobs to workers. A worker claims a job for the time of a lease and extends it while it works.
 * If it dies, the job can be claimed again when its lease ends. Each claim has a number (the fence); only the newest
 * claim can change the job.
 */
import { PgClient } from "@effect/sql-pg"
import type { Transcript } from "@matchpoint/transcripts/Transcript"
import type { TranscriptLimits } from "@matchpoint/transcripts/transcriptLimits"
import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import { Counter } from "../Counter.ts"
import { OperationTimeout, type StoreError, storeEffect, storeFn } from "../StoreError.ts"
import { TranscriptSignals } from "./TranscriptSignals.ts"
import { ClaimedJob, type JobError } from "./transcriptRows.ts"

export type Claim = Pick<ClaimedJob, "jobId" | "fence">

export interface Failure {
  readonly error: JobError
  /** Epoch ms. Null: no further attempt. */
  readonly retryAt: number | null
  /** Limits that the video exceeded. If a request has raised the job's limits since the claim, the job is tried again. */
  readonly exceeded: TranscriptLimits | null
}

export class TranscriptJobs extends Context.Service<
  TranscriptJobs,
  {
    /**
     * Claims the job that has waited longest. Jobs whose claim ended `maxAttempts` times without a result fail with
     * `gaveUp`.
     */
    readonly claim: (terms: {
      readonly leaseMs: number
      readonly maxAttempts: number
      readonly gaveUp: JobError
    }) => Effect.Effect<Option.Option<ClaimedJob>, StoreError>
    /** Extends the claim and stores the progress, 0 to 1. Returns false if the worker must stop: cancelled, or claimed by another. */
    readonly keep: (
      claim: Claim,
      progress: { readonly stage: string | null; readonly fraction: number },
      leaseMs: number,
    ) => Effect.Effect<boolean, StoreError>
    /**
     * Stores the transcript for `keepMs` and finishes the job. Returns false, and stores nothing, if the claim is not
     * the newest.
     */
    readonly complete: (claim: Claim, transcript: Transcript, keepMs: number) => Effect.Effect<boolean, StoreError>
    /** Ends the attempt. Returns the job's new status, or none if the claim is not the newest. */
    readonly fail: (claim: Claim, failure: Failure) => Effect.Effect<Option.Option<"queued" | "failed">, StoreError>
    /** Returns the job to the queue without counting the attempt, because the worker stops. */
    readonly release: (claim: Claim) => Effect.Effect<void, StoreError>
    readonly open: Effect.Effect<number, StoreError>
    /**
     * Deletes expired transcripts, and requests and jobs that ended before a time (epoch ms). Deletes a limited number
     * of rows and returns their number, so that callers repeat it until it returns 0.
     */
    readonly prune: (before: number) => Effect.Effect<number, StoreError>
  }
>()("@matchpoint/store/transcripts/TranscriptJobs") {
  static readonly layer = Layer.effect(
    TranscriptJobs,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout
      const signals = yield* TranscriptSignals

      const decodeJobs = Schema.decodeUnknownEffect(Schema.Array(ClaimedJob))
      const decodeStatus = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ status: Schema.Literals(["queued", "failed"]) })))
      const decodeCount = Schema.decodeUnknownEffect(Schema.NonEmptyArray(Schema.Struct({ count: Counter })))

      const held = ({ fence, jobId }: Claim) => sql`job_id = ${jobId} AND fence = ${fence} AND status = 'running'`

      const claim = Effect.fnUntraced(function* ({
        gaveUp,
        leaseMs,
        maxAttempts,
      }: {
        readonly leaseMs: number
        readonly maxAttempts: number
        readonly gaveUp: JobError
      }) {
        const now = dateOf(yield* Clock.currentTimeMillis)
        const lost = yield* sql`
          UPDATE transcript_jobs SET status = 'failed', error_code = ${gaveUp.code}, error_message = ${gaveUp.message}, finished_at = ${now}
          WHERE status = 'running' AND due_at <= ${now} AND attempts >= ${maxAttempts} RETURNING 1 AS one`
        if (lost.length > 0) yield* signals.finished.send
        const rows = yield* sql`
          WITH chosen AS (
            SELECT job_id FROM transcript_jobs WHERE status IN ('queued', 'running') AND due_at <= ${now}
            ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
          )
          UPDATE transcript_jobs j SET status = 'running', attempts = attempts + 1, fence = fence + 1, stage = NULL, progress = 0,
            due_at = ${dateOf(now.getTime() + leaseMs)}
          FROM chosen WHERE j.job_id = chosen.job_id
          RETURNING j.job_id::text AS "jobId", platform, url, nullif(language, '') AS language, max_duration_seconds AS "maxDurationSeconds",
            max_bytes AS "maxBytes", max_wall_seconds AS "maxWallSeconds", attempts AS attempt, fence`
        return Option.fromUndefinedOr((yield* decodeJobs(rows))[0])
      })

      const keep = Effect.fnUntraced(function* (
        claimed: Claim,
        { fraction, stage }: { readonly stage: string | null; readonly fraction: number },
        leaseMs: number,
      ) {
        const until = dateOf((yield* Clock.currentTimeMillis) + leaseMs)
        const rows = yield* sql`
          UPDATE transcript_jobs SET due_at = ${until}, stage = ${stage}, progress = ${Math.min(1, Math.max(0, fraction))}
          WHERE ${held(claimed)} RETURNING 1 AS one`
        return rows.length > 0
      })

      const complete = Effect.fnUntraced(function* (claimed: Claim, transcript: Transcript, keepMs: number) {
        const now = yield* Clock.currentTimeMillis
        const rows = yield* sql`
          WITH done AS (
            UPDATE transcript_jobs SET status = 'done', stage = NULL, progress = 1, finished_at = ${dateOf(now)}
            WHERE ${held(claimed)} RETURNING platform, post_id, language
          )
          INSERT INTO transcripts AS t (platform, post_id, language, transcript, spoken_language, duration_seconds, expires_at)
          SELECT platform, post_id, language, ${JSON.stringify(transcript)}, ${transcript.language}, ${transcript.durationSeconds}::float8,
            ${dateOf(now + keepMs)} FROM done
          ON CONFLICT (platform, post_id, language) DO UPDATE SET transcript = excluded.transcript,
            spoken_language = excluded.spoken_language, duration_seconds = excluded.duration_seconds, expires_at = excluded.expires_at
          RETURNING 1 AS one`
        return rows.length > 0
      })

      const fail = Effect.fnUntraced(function* (claimed: Claim, { error, exceeded, retryAt }: Failure) {
        const now = dateOf(yield* Clock.currentTimeMillis)
        const isRaised =
          exceeded === null
            ? sql`false`
            : sql`(max_duration_seconds > ${exceeded.maxDurationSeconds} OR max_bytes > ${exceeded.maxBytes} OR max_wall_seconds > ${exceeded.maxWallSeconds})`
        const again = retryAt === null ? isRaised : sql`true`
        const rows = yield* sql`
          UPDATE transcript_jobs SET status = CASE WHEN ${again} THEN 'queued' ELSE 'failed' END, stage = NULL, progress = 0,
            due_at = ${dateOf(retryAt ?? now.getTime())}, error_code = ${error.code}, error_message = ${error.message},
            finished_at = CASE WHEN ${again} THEN NULL ELSE ${now}::timestamptz END
          WHERE ${held(claimed)} RETURNING status`
        return Option.map(Option.fromUndefinedOr((yield* decodeStatus(rows))[0]), ({ status }) => status)
      })

      const release = Effect.fnUntraced(function* (claimed: Claim) {
        const now = dateOf(yield* Clock.currentTimeMillis)
        yield* sql`UPDATE transcript_jobs SET status = 'queued', attempts = attempts - 1, stage = NULL, progress = 0, due_at = ${now}
          WHERE ${held(claimed)}`
      })

      const open = Effect.map(
        Effect.flatMap(sql`SELECT count(*) AS count FROM transcript_jobs WHERE status IN ('queued', 'running')`, decodeCount),
        ([{ count }]) => count,
      )

      const prune = Effect.fnUntraced(function* (before: number) {
        const now = dateOf(yield* Clock.currentTimeMillis)
        const [limitRows, until] = [sql.literal(String(PRUNED_AT_ONCE)), dateOf(before)]
        const deleted = yield* Effect.all([
          sql`DELETE FROM transcripts WHERE (platform, post_id, language) IN (
            SELECT platform, post_id, language FROM transcripts WHERE expires_at <= ${now} LIMIT ${limitRows}) RETURNING 1 AS one`,
          sql`DELETE FROM transcript_requests WHERE request_id IN (
            SELECT request_id FROM transcript_requests WHERE created_at < ${until} AND job_id IS NULL LIMIT ${limitRows}) RETURNING 1 AS one`,
          sql`DELETE FROM transcript_jobs WHERE job_id IN (
            SELECT job_id FROM transcript_jobs WHERE finished_at < ${until} LIMIT ${limitRows}) RETURNING 1 AS one`,
        ])
        return deleted.reduce((sum, rows) => sum + rows.length, 0)
      })

      return TranscriptJobs.of({
        claim: storeFn("TranscriptJobs.claim", limit, claim),
        keep: storeFn("TranscriptJobs.keep", limit, keep),
        complete: storeFn("TranscriptJobs.complete", limit, (claimed, transcript, keepMs) =>
          Effect.tap(complete(claimed, transcript, keepMs), signals.finished.send),
        ),
        fail: storeFn("TranscriptJobs.fail", limit, (claimed, failure) =>
          Effect.tap(fail(claimed, failure), Effect.andThen(signals.finished.send, signals.queued.send)),
        ),
        release: storeFn("TranscriptJobs.release", limit, (claimed) => Effect.tap(release(claimed), signals.queued.send)),
        open: open.pipe(storeEffect("TranscriptJobs.open", limit)),
        prune: storeFn("TranscriptJobs.prune", limit, prune),
      })
    }),
  )
}

const PRUNED_AT_ONCE = 1_000

const dateOf = (ms: number): Date => new Date(ms)
