/** SQL statement that stores the results of claimed lanes. `WebhookDeliveries` runs it. */
import type { PgClient } from "@effect/sql-pg"
import type { LaneResult } from "./WebhookDeliveries.ts"

export const recordStatement = (sql: PgClient.PgClient, lanes: ReadonlyArray<LaneResult>, now: Date) => {
  const results = lanes.flatMap(({ holder, lane, results: own, subscriptionId }) =>
    own.map((result) => ({ ...result, holder, subscriptionId, lane })),
  )
  return sql`
    WITH given AS (
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(lanes.map(({ results: _, ...lane }) => lane))}::text::jsonb) AS r (
        "subscriptionId" uuid, lane text, holder uuid, activations integer, failures smallint, "dueAt" bigint, error text, disable text)
    ),
    -- Subscriptions with failed attempts. The lock makes an activation come before or after this statement, in the same
    -- order as the activation takes its locks.
    failing AS MATERIALIZED (
      SELECT subscription_id, activations FROM webhook_subscriptions
      WHERE subscription_id IN (SELECT "subscriptionId" FROM given WHERE error IS NOT NULL)
      ORDER BY subscription_id FOR NO KEY UPDATE
    ),
    -- A result is stale if the subscription was activated after the claim.
    reported AS MATERIALIZED (
      SELECT given.*, coalesce(failing.activations, s.activations) IS DISTINCT FROM given.activations AS is_stale
      FROM given LEFT JOIN webhook_subscriptions s ON s.subscription_id = given."subscriptionId"
        LEFT JOIN failing ON failing.subscription_id = given."subscriptionId"
    ),
    results AS (
      SELECT "deliveryId", report, r.holder, CASE WHEN reported.is_stale AND r.status = 'failed' THEN 'pending' ELSE r.status END AS status
      FROM jsonb_to_recordset(${JSON.stringify(results)}::text::jsonb) AS r (
        "deliveryId" bigint, status text, report jsonb, holder uuid, "subscriptionId" uuid, lane text)
      JOIN reported ON reported."subscriptionId" = r."subscriptionId" AND reported.lane = r.lane AND reported.holder = r.holder
    ),
    done AS (
      UPDATE webhook_deliveries d
      SET status = r.status, attempts = d.attempts || r.report, finished_at = CASE WHEN r.status = 'pending' THEN NULL ELSE ${now} END
      FROM results r
      WHERE d.delivery_id = r."deliveryId" AND d.status = 'pending' AND (r.status <> 'pending' OR EXISTS (
        SELECT FROM webhook_lanes l
        WHERE l.subscription_id = d.subscription_id AND l.lane = d.lane AND l.holder = r.holder))
      RETURNING d.subscription_id, d.lane, d.status
    ),
    counts AS (
      SELECT subscription_id, lane, count(*) FILTER (WHERE status <> 'pending')::integer AS count FROM done GROUP BY 1, 2
    ),
    -- Of a stale result, only the number of finished deliveries counts.
    lanes AS (
      SELECT r."subscriptionId", r.lane, r.holder, coalesce(counts.count, 0) AS count,
        CASE WHEN NOT r.is_stale THEN r.failures END AS failures, CASE WHEN NOT r.is_stale THEN r."dueAt" END AS "dueAt",
        CASE WHEN NOT r.is_stale THEN r.error END AS error, CASE WHEN NOT r.is_stale THEN r.disable END AS disable
      FROM reported r LEFT JOIN counts ON counts.subscription_id = r."subscriptionId" AND counts.lane = r.lane
      ORDER BY r."subscriptionId", r.lane
    ),
    -- One update for both cases: if a claim comes in between, PostgreSQL checks the new row again, and two updates
    -- would both miss it.
    counted AS (
      UPDATE webhook_lanes l
      SET pending = l.pending - r.count,
        failures = CASE WHEN l.holder = r.holder THEN coalesce(r.failures, l.failures) ELSE l.failures END,
        due_at = CASE WHEN l.holder = r.holder THEN coalesce(to_timestamp(r."dueAt" / 1000.0), l.due_at) ELSE l.due_at END,
        leased_until = CASE WHEN l.holder = r.holder THEN NULL ELSE l.leased_until END,
        holder = CASE WHEN l.holder = r.holder THEN NULL ELSE l.holder END
      FROM lanes r
      WHERE l.subscription_id = r."subscriptionId" AND l.lane = r.lane AND (l.holder = r.holder OR r.count > 0)
      RETURNING 1
    ),
    health AS (
      SELECT r."subscriptionId" AS subscription_id, coalesce(max(r.failures), 0) AS failures, min(r.error) AS error, min(r.disable) AS disable,
        -- Only a delivery shows that the receiver works again. Lanes that made no attempt report none.
        min(r.error) IS NULL AND sum(r.count) > 0 AND NOT EXISTS (
          SELECT FROM webhook_lanes l LEFT JOIN lanes own ON own."subscriptionId" = l.subscription_id AND own.lane = l.lane AND own.holder = l.holder
          WHERE l.subscription_id = r."subscriptionId" AND coalesce(own.failures, l.failures) > 0) AS recovered
      FROM lanes r GROUP BY 1
    ),
    subscriptions AS (
      UPDATE webhook_subscriptions s
      SET failing_since = CASE WHEN h.recovered THEN NULL WHEN h.error IS NULL THEN s.failing_since ELSE coalesce(s.failing_since, ${now}) END,
        failed_attempts = CASE WHEN h.recovered THEN 0 ELSE greatest(s.failed_attempts, h.failures) END,
        last_error = coalesce(h.error, s.last_error),
        status = CASE WHEN h.disable IS NOT NULL AND s.status = 'active' THEN 'disabled' ELSE s.status END,
        status_reason = CASE WHEN h.disable IS NOT NULL AND s.status = 'active' THEN h.disable ELSE s.status_reason END
      FROM health h
      WHERE s.subscription_id = h.subscription_id AND (h.error IS NOT NULL OR s.failing_since IS NOT NULL)
      RETURNING 1
    )
    SELECT (SELECT count(*) FROM counted) AS lanes, (SELECT count(*) FROM subscriptions) AS subscriptions`
}
