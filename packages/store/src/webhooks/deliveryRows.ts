/** Deliveries as the log of deliveries shows them. */
import { Schema } from "effect"
import { Counter } from "../Counter.ts"

export const StoredDelivery = Schema.Struct({
  deliveryId: Schema.String,
  eventId: Schema.String,
  /** Null if the event is no longer stored. */
  name: Schema.NullOr(Schema.String),
  lane: Schema.String,
  epoch: Schema.NullOr(Schema.Natural),
  seq: Schema.NullOr(Counter),
  /** The path of the event to here. Null for values that do not exist. Times are epoch ms. */
  factId: Schema.NullOr(Schema.String),
  factReceivedAt: Schema.NullOr(Counter),
  storedAt: Schema.NullOr(Counter),
  status: Schema.Literals(["pending", "delivered", "failed"]),
  /** Oldest first. Times are epoch ms. */
  attempts: Schema.Array(
    Schema.Struct({
      at: Schema.Natural,
      attempt: Schema.Natural,
      durationMs: Schema.Finite,
      status: Schema.NullOr(Schema.Int),
      error: Schema.NullOr(Schema.String),
      response: Schema.NullOr(Schema.String),
    }),
  ),
  createdAt: Counter,
  finishedAt: Schema.NullOr(Counter),
  /** Null if the delivery is finished, or is not the first of its lane. */
  nextAttemptAt: Schema.NullOr(Counter),
})
export type StoredDelivery = typeof StoredDelivery.Type

/** Columns of a delivery `d` with its event `e`. */
export const deliveryColumns = `
  d.delivery_id::text AS "deliveryId", d.event_id AS "eventId", e.name, d.lane, e.epoch, e.seq, e.fact_id AS "factId",
  floor(extract(epoch FROM e.received_at) * 1000)::bigint AS "factReceivedAt",
  floor(extract(epoch FROM e.written_at) * 1000)::bigint AS "storedAt", d.status, d.attempts,
  floor(extract(epoch FROM d.created_at) * 1000)::bigint AS "createdAt",
  floor(extract(epoch FROM d.finished_at) * 1000)::bigint AS "finishedAt",
  CASE WHEN d.status = 'pending' THEN (
    SELECT floor(extract(epoch FROM l.due_at) * 1000)::bigint FROM webhook_lanes l
    WHERE l.subscription_id = d.subscription_id AND l.lane = d.lane AND NOT EXISTS (
      SELECT FROM webhook_deliveries f
      WHERE f.subscription_id = d.subscription_id AND f.lane = d.lane AND f.status = 'pending' AND f.delivery_id < d.delivery_id)
  ) END AS "nextAttemptAt"`
