/** SQL statements that remove webhook subscriptions: at once for the account, step by step in the database. */
import type { PgClient } from "@effect/sql-pg"

/** Rows per table that one call of `clear` deletes. */
const CLEARED_AT_ONCE = 1_000

export const removalStatements = (sql: PgClient.PgClient) => {
  /**
   * A removed subscription matches no event and is not due. Older versions of this service, which run during an update,
   * see a subscription that the account has paused.
   */
  const removal = (now: Date) => sql`
    removed_at = ${now}, status = 'paused', status_reason = 'customer', url = '', description = '', events = '{}',
    secret = ''::bytea, previous_secret = NULL, previous_secret_until = NULL, idempotency_key = NULL, request_hash = NULL`

  // One subscription at a time, so that the planner uses the indexes whatever it knows about the tables. Rows that
  // another transaction holds are skipped and found again by the next call.
  const removedFirst = sql`(SELECT subscription_id FROM webhook_subscriptions WHERE removed_at IS NOT NULL ORDER BY removed_at LIMIT 1)`
  const clearDeliveries = sql`
    DELETE FROM webhook_deliveries WHERE delivery_id IN (
      SELECT delivery_id FROM webhook_deliveries WHERE subscription_id = ${removedFirst}
      ORDER BY delivery_id LIMIT ${CLEARED_AT_ONCE} FOR UPDATE SKIP LOCKED)
    RETURNING 1 AS one`
  const clearLanes = sql`
    DELETE FROM webhook_lanes WHERE (subscription_id, lane) IN (
      SELECT subscription_id, lane FROM webhook_lanes WHERE subscription_id = ${removedFirst}
      ORDER BY lane LIMIT ${CLEARED_AT_ONCE} FOR UPDATE SKIP LOCKED)
    RETURNING 1 AS one`
  const clearSubscription = sql`
    DELETE FROM webhook_subscriptions s
    WHERE s.subscription_id = ${removedFirst}
      AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.subscription_id = s.subscription_id)
      AND NOT EXISTS (SELECT FROM webhook_lanes l WHERE l.subscription_id = s.subscription_id)
    RETURNING 1 AS one`

  return { clearing: [clearDeliveries, clearLanes, clearSubscription], removal }
}
