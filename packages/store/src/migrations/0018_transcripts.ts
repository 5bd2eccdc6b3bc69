/**
 * Adds transcripts: jobs that are made once per post and language, the transcripts themselves, and the requests of
 * customers. Also adds webhook events that only one account receives.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const transcripts = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // `language` is the requested language, empty for detection. `due_at` is the time from which a worker may claim the
  // job: of a running job, the end of its lease. `fence` counts the claims, so that only the last one can finish the job.
  yield* sql`
    CREATE TABLE transcript_jobs (
      job_id               uuid PRIMARY KEY,
      platform             text NOT NULL,
      post_id              text NOT NULL,
      language             text NOT NULL,
      url                  text NOT NULL,
      status               text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'done', 'failed', 'cancelled')),
      stage                text,
      progress             real NOT NULL DEFAULT 0,
      max_duration_seconds integer NOT NULL,
      max_bytes            bigint NOT NULL,
      max_wall_seconds     integer NOT NULL,
      attempts             smallint NOT NULL DEFAULT 0,
      fence                integer NOT NULL DEFAULT 0,
      due_at               timestamptz NOT NULL,
      error_code           text,
      error_message        text,
      created_at           timestamptz NOT NULL,
      finished_at          timestamptz
    )`
  yield* sql`
    CREATE UNIQUE INDEX transcript_jobs_open ON transcript_jobs (platform, post_id, language) WHERE status IN ('queued', 'running')`
  yield* sql`CREATE INDEX transcript_jobs_due ON transcript_jobs (due_at) WHERE status IN ('queued', 'running')`
  yield* sql`CREATE INDEX transcript_jobs_failed ON transcript_jobs (platform, post_id, language, finished_at) WHERE status = 'failed'`
  yield* sql`CREATE INDEX transcript_jobs_finished ON transcript_jobs (finished_at) WHERE finished_at IS NOT NULL`

  // `transcript` is JSON text, because the text of speech may contain what `jsonb` cannot store.
  yield* sql`
    CREATE TABLE transcripts (
      platform         text NOT NULL,
      post_id          text NOT NULL,
      language         text NOT NULL,
      transcript       text NOT NULL,
      spoken_language  text NOT NULL,
      duration_seconds float8 NOT NULL,
      expires_at       timestamptz NOT NULL,
      PRIMARY KEY (platform, post_id, language)
    )`
  yield* sql`CREATE INDEX transcripts_by_expiry ON transcripts (expires_at)`

  // `job_id` is null if the transcript existed already. `wants_webhook` until the webhook event is stored.
  yield* sql`
    CREATE TABLE transcript_requests (
      request_id      uuid PRIMARY KEY,
      account_id      uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
      job_id          uuid REFERENCES transcript_jobs ON DELETE CASCADE,
      platform        text NOT NULL,
      post_id         text NOT NULL,
      language        text NOT NULL,
      url             text NOT NULL,
      format          text NOT NULL,
      wants_webhook   boolean NOT NULL,
      idempotency_key text,
      request_hash    bytea,
      created_at      timestamptz NOT NULL,
      cancelled_at    timestamptz,
      billed_at       timestamptz,
      UNIQUE (account_id, idempotency_key)
    )`
  yield* sql`CREATE INDEX transcript_requests_by_job ON transcript_requests (job_id) WHERE job_id IS NOT NULL`
  yield* sql`CREATE INDEX transcript_requests_by_time ON transcript_requests (created_at)`
  yield* sql`CREATE INDEX transcript_requests_announced ON transcript_requests (created_at) WHERE wants_webhook`

  // Null: every account with a matching subscription receives the event.
  yield* sql`ALTER TABLE webhook_events ADD COLUMN account_id uuid`
})
