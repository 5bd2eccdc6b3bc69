/** Finished requests for transcripts whose webhook event is not stored yet. */
import { PgClient } from "@effect/sql-pg"
import { TranscriptFormat } from "@matchpoint/contracts/http/transcripts/transcriptModels"
import { AccountId } from "@matchpoint/domain/accounts"
import { Platform } from "@matchpoint/transcripts/Transcript"
import { Context, Effect, Layer, Schema } from "effect"
import { Counter } from "../Counter.ts"
import { OperationTimeout, type StoreError, storeEffect, storeFn } from "../StoreError.ts"
import { JobError } from "./transcriptRows.ts"

/** Times are epoch ms. `language` and `duration` are null if the request failed. */
export const FinishedRequest = Schema.Struct({
  requestId: Schema.String,
  accountId: AccountId,
  platform: Platform,
  url: Schema.String,
  format: TranscriptFormat,
  language: Schema.NullOr(Schema.String),
  duration: Schema.NullOr(Schema.Finite),
  error: Schema.NullOr(JobError),
  createdAt: Counter,
  finishedAt: Counter,
})
export type FinishedRequest = typeof FinishedRequest.Type

export class TranscriptAnnouncements extends Context.Service<
  TranscriptAnnouncements,
  {
    /** Requests that asked for an event, oldest first and at most 100. Cancelled requests have no event. */
    readonly due: Effect.Effect<ReadonlyArray<FinishedRequest>, StoreError>
    /** The events of these requests are stored. */
    readonly done: (requestIds: ReadonlyArray<string>) => Effect.Effect<void, StoreError>
  }
>()("@matchpoint/store/transcripts/TranscriptAnnouncements") {
  static readonly layer = Layer.effect(
    TranscriptAnnouncements,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout
      const decode = Schema.decodeUnknownEffect(Schema.Array(FinishedRequest))

      const due = sql`
        SELECT r.request_id::text AS "requestId", r.account_id::text AS "accountId", r.platform, r.url, r.format,
          t.spoken_language AS language, t.duration_seconds AS duration,
          CASE WHEN j.status = 'failed' THEN json_build_object('code', j.error_code, 'message', j.error_message) END AS error,
          floor(extract(epoch FROM r.created_at) * 1000)::bigint AS "createdAt",
          floor(extract(epoch FROM coalesce(j.finished_at, r.created_at)) * 1000)::bigint AS "finishedAt"
        FROM transcript_requests r LEFT JOIN transcript_jobs j USING (job_id)
        LEFT JOIN transcripts t ON t.platform = r.platform AND t.post_id = r.post_id AND t.language = r.language
          AND j.status IS DISTINCT FROM 'failed'
        WHERE r.wants_webhook AND r.cancelled_at IS NULL
          AND (j.status = 'failed' OR coalesce(j.status, 'done') = 'done' AND t.transcript IS NOT NULL)
        ORDER BY r.created_at LIMIT 100`

      return TranscriptAnnouncements.of({
        due: Effect.flatMap(due, decode).pipe(storeEffect("TranscriptAnnouncements.due", limit)),
        done: storeFn("TranscriptAnnouncements.done", limit, (requestIds) =>
          Effect.asVoid(sql`UPDATE transcript_requests SET wants_webhook = false WHERE request_id = ANY(${requestIds}::uuid[])`),
        ),
      })
    }),
  )
}
