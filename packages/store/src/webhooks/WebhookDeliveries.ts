/**
 * Distributes pending webhook deliveries to workers and stores the results. A worker claims lanes. A lane is the queue
 * of one subscription for one match, and only one worker holds it at a time, so the deliveries of a match stay in order
 * and do not delay those of other matches. A claim expires, so a worker that died loses its lanes.
 */
import { PgClient } from "@effect/sql-pg"
import type { AccountId } from "@matchpoint/domain/accounts"
import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import { Counter } from "../Counter.ts"
import { OperationTimeout, type StoreError, storeOperation } from "../StoreError.ts"
import { deliveryColumns, StoredDelivery } from "./deliveryRows.ts"
import { WebhookWakeups } from "./WebhookWakeups.ts"

/** Lane to work on, with its next deliveries in order. */
export const ClaimedLane = Schema.Struct({
  subscriptionId: Schema.String,
  lane: Schema.String,
  /** Number of failed attempts of the first delivery. */
  failures: Schema.Natural,
  url: Schema.String,
  maxPerSecond: Schema.NullOr(Schema.Natural),
  /** Encrypted secrets. The previous one is null unless it is still valid. */
  secret: Schema.Uint8Array,
  previousSecret: Schema.NullOr(Schema.Uint8Array),
})

export const PendingDelivery = Schema.Struct({
  deliveryId: Schema.String,
  subscriptionId: Schema.String,
  lane: Schema.String,
  attempt: Schema.Natural,
  eventId: Schema.String,
  name: Schema.String,
  /** Time of the event, epoch ms. */
  occurredAt: Counter,
  /** Time at which the event was stored, epoch ms. */
  writtenAt: Counter,
  data: Schema.String,
})
export type PendingDelivery = typeof PendingDelivery.Type

export type Claim = typeof ClaimedLane.Type & { readonly deliveries: ReadonlyArray<PendingDelivery> }

export interface ClaimTerms {
  readonly worker: string
  /** Maximum number of lanes to claim. */
  readonly lanes: number
  /** Maximum number of deliveries per lane. */
  readonly perLane: number
  /** Maximum number of lanes that the worker may hold per subscription, including those in `held`. */
  readonly perSubscription: number
  /** Number of lanes that the worker already holds, by subscription. */
  readonly held: ReadonlyMap<string, number>
  readonly leaseMs: number
}

/** Report of one attempt, as stored in the log of deliveries. */
export interface AttemptReport {
  /** Time of the attempt, epoch ms. */
  readonly at: number
  readonly attempt: number
  readonly durationMs: number
  /** HTTP status, or null if there was no response. */
  readonly status: number | null
  readonly error: string | null
  readonly response: string | null
}

export interface DeliveryResult {
  readonly deliveryId: string
  readonly status: "pending" | "delivered" | "failed"
  readonly report: AttemptReport
}

/** What a worker did with a claimed lane. Storing it releases the lane. */
export interface LaneResult {
  readonly subscriptionId: string
  readonly lane: string
  readonly results: ReadonlyArray<DeliveryResult>
  /** Number of failed attempts of the delivery that is now first. */
  readonly failures: number
  /** Time of the next attempt, epoch ms. */
  readonly dueAt: number
  /** Set if the last attempt failed. */
  readonly error: string | null
  /** Set if the subscription must be disabled. */
  readonly disable: "failures" | "gone" | null
}

export class WebhookDeliveries extends Context.Service<
  WebhookDeliveries,
  {
    /**
     * Claims due lanes of active subscriptions. Subscriptions of which the worker holds the fewest lanes come first, so
     * that slow receivers do not delay others for longer than an attempt. Then the earliest lanes come first.
     */
    readonly claim: (terms: ClaimTerms) => Effect.Effect<ReadonlyArray<Claim>, StoreError>
    /** Stores results and releases the lanes. A result of a delivery that is no longer pending is ignored. */
    readonly record: (worker: string, results: ReadonlyArray<LaneResult>) => Effect.Effect<void, StoreError>
    /** Returns the time of the next due attempt, epoch ms, or undefined if nothing waits. */
    readonly nextDue: Effect.Effect<number | undefined, StoreError>
    /** Lists the deliveries of a subscription, newest first. */
    readonly list: (
      accountId: AccountId,
      subscriptionId: string,
      page: { readonly limit: number; readonly offset: number },
    ) => Effect.Effect<{ readonly rows: ReadonlyArray<StoredDelivery>; readonly total: number }, StoreError>
    readonly get: (
      accountId: AccountId,
      subscriptionId: string,
      deliveryId: string,
    ) => Effect.Effect<Option.Option<StoredDelivery>, StoreError>
    /** Queues another delivery of the same event. Returns none if there is no such delivery. */
    readonly resend: (
      accountId: AccountId,
      subscriptionId: string,
      deliveryId: string,
    ) => Effect.Effect<Option.Option<StoredDelivery>, StoreError>
  }
>()("@matchpoint/store/webhooks/WebhookDeliveries") {
  static readonly layer = Layer.effect(
    WebhookDeliveries,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout
      const wakeups = yield* WebhookWakeups

      const claimLanes = (terms: ClaimTerms, now: Date) => {
        const held = [...terms.held]
        const full = held.filter(([, count]) => count >= terms.perSubscription).map(([id]) => id)
        return sql`
          WITH due AS (
            SELECT l.subscription_id, l.lane, l.due_at FROM webhook_lanes l JOIN webhook_subscriptions s USING (subscription_id)
            WHERE l.pending > 0 AND l.due_at <= ${now} AND (l.leased_until IS NULL OR l.leased_until <= ${now})
              AND s.status = 'active' AND NOT l.subscription_id = ANY(${full}::uuid[])
            ORDER BY l.due_at LIMIT ${DUE_AT_ONCE}
          ),
          ranked AS (
            SELECT due.*, row_number() OVER (PARTITION BY subscription_id ORDER BY due_at) + coalesce(h.count, 0) AS rank
            FROM due LEFT JOIN unnest(
              ${held.map(([id]) => id)}::uuid[], ${held.map(([, count]) => count)}::integer[]) AS h (subscription_id, count) USING (subscription_id)
          ),
          chosen AS (
            SELECT l.subscription_id, l.lane FROM webhook_lanes l JOIN ranked USING (subscription_id, lane)
            WHERE ranked.rank <= ${terms.perSubscription} AND l.pending > 0 AND l.due_at <= ${now}
              AND (l.leased_until IS NULL OR l.leased_until <= ${now})
            ORDER BY ranked.rank, ranked.due_at LIMIT ${terms.lanes} FOR UPDATE OF l SKIP LOCKED
          ),
          claimed AS (
            UPDATE webhook_lanes l SET holder = ${terms.worker}, leased_until = ${new Date(now.getTime() + terms.leaseMs)}
            FROM chosen WHERE l.subscription_id = chosen.subscription_id AND l.lane = chosen.lane
            RETURNING l.subscription_id, l.lane, l.failures
          )
          SELECT c.subscription_id::text AS "subscriptionId", c.lane, c.failures, s.url, s.max_per_second AS "maxPerSecond", s.secret,
            CASE WHEN s.previous_secret_until > ${now} THEN s.previous_secret END AS "previousSecret"
          FROM claimed c JOIN webhook_subscriptions s USING (subscription_id)`
      }

      const pendingOf = (lanes: ReadonlyArray<typeof ClaimedLane.Type>, perLane: number) => sql`
        SELECT d.delivery_id::text AS "deliveryId", d.subscription_id::text AS "subscriptionId", d.lane,
          jsonb_array_length(d.attempts) + 1 AS attempt, e.event_id AS "eventId", e.name,
          floor(extract(epoch FROM e.occurred_at) * 1000)::bigint AS "occurredAt",
          floor(extract(epoch FROM e.written_at) * 1000)::bigint AS "writtenAt", e.data
        FROM unnest(${lanes.map(({ subscriptionId }) => subscriptionId)}::uuid[], ${lanes.map(({ lane }) => lane)}::text[])
          AS c (subscription_id, lane)
        CROSS JOIN LATERAL (
          SELECT * FROM webhook_deliveries d
          WHERE d.subscription_id = c.subscription_id AND d.lane = c.lane AND d.status = 'pending'
          ORDER BY d.delivery_id LIMIT ${perLane}) AS d
        JOIN webhook_events e USING (event_id)
        ORDER BY d.delivery_id`

      const decodeLanes = Schema.decodeUnknownEffect(Schema.Array(ClaimedLane))
      const decodePending = Schema.decodeUnknownEffect(Schema.Array(PendingDelivery))

      const claim = Effect.fnUntraced(function* (terms: ClaimTerms) {
        const now = dateOf(yield* Clock.currentTimeMillis)
        const lanes = yield* Effect.flatMap(claimLanes(terms, now), decodeLanes)
        if (lanes.length === 0) return []
        const pending = Map.groupBy(yield* Effect.flatMap(pendingOf(lanes, terms.perLane), decodePending), keyOf)
        return lanes.map((lane): Claim => ({ ...lane, deliveries: pending.get(keyOf(lane)) ?? [] }))
      })

      const record = (worker: string, lanes: ReadonlyArray<LaneResult>, now: Date) => {
        const results = lanes.flatMap((lane) => lane.results)
        return sql`
          WITH done AS (
            UPDATE webhook_deliveries d
            SET status = r.status, attempts = d.attempts || r.report, finished_at = CASE WHEN r.status = 'pending' THEN NULL ELSE ${now} END
            FROM jsonb_to_recordset(${JSON.stringify(results)}::text::jsonb) AS r ("deliveryId" bigint, status text, report jsonb)
            WHERE d.delivery_id = r."deliveryId" AND d.status = 'pending'
            RETURNING d.subscription_id, d.lane, d.status
          ),
          counts AS (
            SELECT subscription_id, lane, count(*) FILTER (WHERE status <> 'pending')::integer AS count FROM done GROUP BY 1, 2
          ),
          lanes AS (
            SELECT r.*, coalesce(counts.count, 0) AS count
            FROM jsonb_to_recordset(${JSON.stringify(lanes.map(({ results: _, ...lane }) => lane))}::text::jsonb) AS r (
              "subscriptionId" uuid, lane text, failures smallint, "dueAt" bigint, error text, disable text)
            LEFT JOIN counts ON counts.subscription_id = r."subscriptionId" AND counts.lane = r.lane
            ORDER BY r."subscriptionId", r.lane
          ),
          released AS (
            UPDATE webhook_lanes l
            SET pending = l.pending - r.count, failures = r.failures, due_at = to_timestamp(r."dueAt" / 1000.0),
              holder = NULL, leased_until = NULL
            FROM lanes r
            WHERE l.subscription_id = r."subscriptionId" AND l.lane = r.lane AND l.holder = ${worker}
            RETURNING 1
          ),
          overtaken AS (
            UPDATE webhook_lanes l SET pending = l.pending - r.count FROM lanes r
            WHERE l.subscription_id = r."subscriptionId" AND l.lane = r.lane AND l.holder IS DISTINCT FROM ${worker}::uuid AND r.count > 0
            RETURNING 1
          ),
          health AS (
            SELECT "subscriptionId" AS subscription_id, max(failures) AS failures, min(error) AS error, min(disable) AS disable
            FROM lanes GROUP BY 1
          ),
          subscriptions AS (
            UPDATE webhook_subscriptions s
            SET failing_since = CASE WHEN h.error IS NULL THEN NULL ELSE coalesce(s.failing_since, ${now}) END,
              failed_attempts = CASE WHEN h.error IS NULL THEN 0 ELSE greatest(s.failed_attempts, h.failures) END,
              last_error = coalesce(h.error, s.last_error),
              status = CASE WHEN h.disable IS NOT NULL AND s.status = 'active' THEN 'disabled' ELSE s.status END,
              status_reason = CASE WHEN h.disable IS NOT NULL AND s.status = 'active' THEN h.disable ELSE s.status_reason END
            FROM health h
            WHERE s.subscription_id = h.subscription_id AND (h.error IS NOT NULL OR s.failing_since IS NOT NULL)
            RETURNING 1
          )
          SELECT (SELECT count(*) FROM released) AS released, (SELECT count(*) FROM overtaken) AS overtaken,
            (SELECT count(*) FROM subscriptions) AS subscriptions`
      }

      const owned = (accountId: AccountId, subscriptionId: string) => sql`
        webhook_deliveries d JOIN webhook_subscriptions s USING (subscription_id) LEFT JOIN webhook_events e USING (event_id)
        WHERE s.account_id = ${accountId} AND s.subscription_id::text = ${subscriptionId}`

      const decodeDeliveries = Schema.decodeUnknownEffect(Schema.Array(StoredDelivery))
      const columns = sql.literal(deliveryColumns)

      const get = (accountId: AccountId, subscriptionId: string, deliveryId: string) =>
        Effect.map(
          Effect.flatMap(
            sql`SELECT ${columns} FROM ${owned(accountId, subscriptionId)} AND d.delivery_id::text = ${deliveryId}`,
            decodeDeliveries,
          ),
          (rows) => Option.fromUndefinedOr(rows[0]),
        )

      const list = Effect.fnUntraced(function* (
        accountId: AccountId,
        subscriptionId: string,
        page: { readonly limit: number; readonly offset: number },
      ) {
        const rows = yield* Effect.flatMap(
          sql`SELECT ${columns} FROM ${owned(accountId, subscriptionId)}
            ORDER BY d.delivery_id DESC LIMIT ${page.limit} OFFSET ${page.offset}`,
          decodeDeliveries,
        )
        const [{ total }] = yield* Effect.flatMap(
          sql`SELECT count(*) AS total FROM ${owned(accountId, subscriptionId)}`,
          Schema.decodeUnknownEffect(Schema.NonEmptyArray(Schema.Struct({ total: Counter }))),
        )
        return { rows, total }
      })

      const resend = Effect.fnUntraced(function* (accountId: AccountId, subscriptionId: string, deliveryId: string) {
        const now = dateOf(yield* Clock.currentTimeMillis)
        const rows = yield* sql`
          WITH queued AS (
            INSERT INTO webhook_deliveries (subscription_id, event_id, lane, created_at)
            SELECT s.subscription_id, e.event_id, e.lane, ${now}
            FROM ${owned(accountId, subscriptionId)} AND d.delivery_id::text = ${deliveryId} AND e.event_id IS NOT NULL
            RETURNING delivery_id, subscription_id, lane
          ),
          lanes AS (
            INSERT INTO webhook_lanes AS l (subscription_id, lane, pending, due_at) SELECT subscription_id, lane, 1, ${now} FROM queued
            ON CONFLICT (subscription_id, lane) DO UPDATE
            SET pending = l.pending + 1, due_at = CASE WHEN l.pending > 0 THEN l.due_at ELSE excluded.due_at END
            RETURNING 1
          )
          SELECT delivery_id::text AS id FROM queued, lanes`
        const queued = yield* Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ id: Schema.String })))(rows)
        const id = queued[0]?.id
        if (id === undefined) return Option.none()
        yield* wakeups.wake
        return yield* get(accountId, subscriptionId, id)
      })

      const nextDue = Effect.map(
        Effect.flatMap(
          sql`SELECT floor(extract(epoch FROM min(l.due_at)) * 1000)::bigint AS due
            FROM webhook_lanes l JOIN webhook_subscriptions s USING (subscription_id)
            WHERE l.pending > 0 AND l.leased_until IS NULL AND s.status = 'active'`,
          Schema.decodeUnknownEffect(Schema.NonEmptyArray(Schema.Struct({ due: Schema.NullOr(Counter) }))),
        ),
        ([{ due }]) => due ?? undefined,
      )

      return WebhookDeliveries.of({
        claim: Effect.fn("WebhookDeliveries.claim")(claim, storeOperation("WebhookDeliveries.claim", limit)),
        record: Effect.fn("WebhookDeliveries.record")(
          (worker, results) =>
            results.length === 0
              ? Effect.void
              : Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.asVoid(record(worker, results, new Date(now)))),
          storeOperation("WebhookDeliveries.record", limit),
        ),
        nextDue: nextDue.pipe(storeOperation("WebhookDeliveries.nextDue", limit), Effect.withSpan("WebhookDeliveries.nextDue")),
        list: Effect.fn("WebhookDeliveries.list")(list, storeOperation("WebhookDeliveries.list", limit)),
        get: Effect.fn("WebhookDeliveries.get")(get, storeOperation("WebhookDeliveries.get", limit)),
        resend: Effect.fn("WebhookDeliveries.resend")(resend, storeOperation("WebhookDeliveries.resend", limit)),
      })
    }),
  )
}

/** Maximum number of due lanes that one claim considers. */
const DUE_AT_ONCE = 2_000

const keyOf = ({ lane, subscriptionId }: { readonly lane: string; readonly subscriptionId: string }): string => `${subscriptionId} ${lane}`

/** Converts epoch milliseconds to a Date. */
const dateOf = (ms: number): Date => new Date(ms)
