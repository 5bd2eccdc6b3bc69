/**
 * Adds what large writes and deletions of webhooks need to be done in several steps, each in the time of a statement, and
 * a number by which attempts from before an activation are recognised.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

export const webhookSteps = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Last subscription, in order of their ids, for which deliveries of the event are queued. Null if they are queued for
  // all of them.
  yield* sql`ALTER TABLE webhook_events ADD COLUMN queued_to uuid`

  // `removed_at` is set if the account has deleted the subscription. Its rows are then deleted step by step. `activations`
  // is the number of times that the account has activated the subscription.
  yield* sql`
    ALTER TABLE webhook_subscriptions
      ADD COLUMN removed_at  timestamptz,
      ADD COLUMN activations integer NOT NULL DEFAULT 0`
})
