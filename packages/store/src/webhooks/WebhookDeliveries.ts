/**
 * Distributes pending webhook deliveries to workers and stores the results. A lane is the queue of one subscription for
 * one match. Only one worker holds it at a time, so the deliveries of a match stay in order and do not delay those of
 * other matches. A claim expires, so a worker that died loses its lanes.
 */
import { PgClient } from "@effect/sql-pg"
import type { AccountId } from "@matchpoint/domain/accounts"
import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import { Counter } from "../Counter.ts"
import { OperationTimeout, type StoreError, storeFn } from "../StoreError.ts"
import { deliveryColumns, StoredDelivery } from "./deliveryRows.ts"
import { recordStatement } from "./recordStatement.ts"
import { numberParameter, uuidParameter } from "./requestedIds.ts"
import { WebhookWakeups } from "./WebhookWakeups.ts"

/** Lane with its next deliveries in order. */
const ClaimedLane = Schema.Struct({
  subscriptionId: Schema.String,
  accountId: Schema.String,
  lane: Schema.String,
  /** Identifies the claim. Only its results release the lane. */
  holder: Schema.String,
  /** How often the account had activated the subscription when the lane was claimed. */
  activations: Schema.Natural,
  /** Failed attempts of the first delivery. */
  failures: Schema.Natural,
  /** Epoch ms of the first delivery. */
  dueAt: Counter,
  url: Schema.String,
  maxPerSecond: Schema.NullOr(Schema.Natural),
  /** Encrypted. The previous secret is null unless it is still valid. */
  secret: Schema.Uint8Array,
  previousSecret: Schema.NullOr(Schema.Uint8Array),
})

/** Times are epoch ms. */
export const PendingDelivery = Schema.Struct({
  deliveryId: Schema.String,
  attempt: Schema.Natural,
  eventId: Schema.String,
  name: Schema.String,
  occurredAt: Schema.Natural,
  /** When the event was stored. */
  writtenAt: Schema.Natural,
  data: Schema.String,
})
export type PendingDelivery = typeof PendingDelivery.Type

const Claim = Schema.Struct({ ...ClaimedLane.fields, deliveries: Schema.Array(PendingDelivery) })
export type Claim = typeof Claim.Type

export interface ClaimTerms {
  /** Identifies the claim. A worker must use a new id for each claim. */
  readonly holder: string
  /** Maximum number of lanes to claim. */
  readonly lanes: number
  /** Maximum number of deliveries per lane. */
  readonly perLane: number
  /** Maximum number of lanes per subscription, including those in `held`. */
  readonly perSubscription: number
  readonly perAccount: number
  /** Lanes that the worker already holds, by subscription and by account. */
  readonly held: ReadonlyMap<string, number>
  readonly heldByAccount: ReadonlyMap<string, number>
  readonly leaseMs: number
}

/** Attempt as stored in the log of deliveries. */
export interface AttemptReport {
  /** Epoch ms. */
  readonly at: number
  readonly attempt: number
  readonly durationMs: number
  /** Null if there was no response. */
  readonly status: number | null
  readonly error: string | null
  readonly response: string | null
}

export interface DeliveryResult {
  readonly deliveryId: string
  readonly status: "pending" | "delivered" | "failed"
  readonly report: AttemptReport
}

/** Storing it releases the lane. */
export interface LaneResult {
  readonly subscriptionId: string
  readonly lane: string
  readonly holder: string
  readonly activations: number
  readonly results: ReadonlyArray<DeliveryResult>
  /** Failed attempts of the delivery that is now first. */
  readonly failures: number
  /** Epoch ms of the next attempt. */
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
     * that slow receivers do not delay others. Then lanes come alternately from those due first and those due last, so
     * that a backlog is worked off without delaying the first attempts of new events.
     */
    readonly claim: (terms: ClaimTerms) => Effect.Effect<ReadonlyArray<Claim>, StoreError>
    /**
     * Stores results and releases the lanes. May be repeated after a failure. Ignores results of deliveries that are no
     * longer pending, and failed attempts of a claim that has expired and was followed by another. If the account has
     * activated the subscription since the claim, failed attempts are only logged: their deliveries are attempted again,
     * and the subscription is not disabled.
     */
    readonly record: (results: ReadonlyArray<LaneResult>) => Effect.Effect<void, StoreError>
    /** Time of the first attempt that is due after a time, epoch ms. */
    readonly nextDue: (after: number) => Effect.Effect<number | undefined, StoreError>
    /** Deliveries of a subscription, newest first. */
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
    /** Queues another delivery of the same event. None if there is no such delivery. */
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
        const [held, heldByAccount] = [[...terms.held], [...terms.heldByAccount]]
        const full = held.filter(([, count]) => count >= terms.perSubscription).map(([id]) => id)
        const fullAccounts = heldByAccount.filter(([, count]) => count >= terms.perAccount).map(([id]) => id)
        const countsOf = (counts: ReadonlyArray<readonly [string, number]>, id: string) =>
          sql`unnest(${counts.map(([key]) => key)}::uuid[], ${counts.map(([, count]) => count)}::integer[]) AS h (${sql.literal(id)}, count)`
        return sql`
          WITH ready AS (
            SELECT l.subscription_id, s.account_id, l.lane, l.due_at
            FROM webhook_lanes l JOIN webhook_subscriptions s USING (subscription_id)
            WHERE l.pending > 0 AND l.due_at <= ${now} AND (l.leased_until IS NULL OR l.leased_until <= ${now})
              AND s.status = 'active' AND NOT l.subscription_id = ANY(${full}::uuid[]) AND NOT s.account_id = ANY(${fullAccounts}::uuid[])
          ),
          due AS (
            (SELECT * FROM ready ORDER BY due_at LIMIT ${DUE_AT_ONCE})
            UNION
            (SELECT * FROM ready ORDER BY due_at DESC LIMIT ${DUE_AT_ONCE})
          ),
          turns AS (
            SELECT due.*, least(row_number() OVER (ORDER BY due_at), row_number() OVER (ORDER BY due_at DESC)) AS turn FROM due
          ),
          ranked AS (
            SELECT turns.*, row_number() OVER (PARTITION BY subscription_id ORDER BY turn) + coalesce(h.count, 0) AS rank
            FROM turns LEFT JOIN ${countsOf(held, "subscription_id")} USING (subscription_id)
          ),
          allowed AS (
            SELECT ranked.*, row_number() OVER (PARTITION BY account_id ORDER BY rank, turn) + coalesce(h.count, 0) AS account_rank
            FROM ranked LEFT JOIN ${countsOf(heldByAccount, "account_id")} USING (account_id)
            WHERE rank <= ${terms.perSubscription}
          ),
          chosen AS (
            SELECT l.subscription_id, l.lane FROM webhook_lanes l JOIN allowed USING (subscription_id, lane)
            WHERE allowed.account_rank <= ${terms.perAccount} AND l.pending > 0 AND l.due_at <= ${now}
              AND (l.leased_until IS NULL OR l.leased_until <= ${now})
            ORDER BY allowed.rank, allowed.turn LIMIT ${terms.lanes} FOR UPDATE OF l SKIP LOCKED
          ),
          claimed AS (
            UPDATE webhook_lanes l SET holder = ${terms.holder}, leased_until = ${new Date(now.getTime() + terms.leaseMs)}
            FROM chosen WHERE l.subscription_id = chosen.subscription_id AND l.lane = chosen.lane
            RETURNING l.subscription_id, l.lane, l.holder, l.failures, l.due_at
          )
          SELECT c.subscription_id::text AS "subscriptionId", s.account_id::text AS "accountId", c.lane, c.holder::text AS holder, s.activations, c.failures,
            floor(extract(epoch FROM c.due_at) * 1000)::bigint AS "dueAt", s.url, s.max_per_second AS "maxPerSecond", s.secret,
            CASE WHEN s.previous_secret_until > ${now} THEN s.previous_secret END AS "previousSecret",
            (SELECT coalesce(json_agg(next ORDER BY place), '[]') FROM (
              SELECT d.delivery_id AS place, d.delivery_id::text AS "deliveryId", jsonb_array_length(d.attempts) + 1 AS attempt,
                e.event_id AS "eventId", e.name, floor(extract(epoch FROM e.occurred_at) * 1000)::bigint AS "occurredAt",
                floor(extract(epoch FROM e.written_at) * 1000)::bigint AS "writtenAt", e.data
              FROM webhook_deliveries d JOIN webhook_events e USING (event_id)
              WHERE d.subscription_id = c.subscription_id AND d.lane = c.lane AND d.status = 'pending'
              ORDER BY d.delivery_id LIMIT ${terms.perLane}) AS next) AS deliveries
          FROM claimed c JOIN webhook_subscriptions s USING (subscription_id)`
      }

      const decodeClaims = Schema.decodeUnknownEffect(Schema.Array(Claim))

      const claim = Effect.fnUntraced(function* (terms: ClaimTerms) {
        const now = dateOf(yield* Clock.currentTimeMillis)
        return yield* Effect.flatMap(claimLanes(terms, now), decodeClaims)
      })

      const record = (lanes: ReadonlyArray<LaneResult>, now: Date) => recordStatement(sql, lanes, now)

      const owned = (accountId: AccountId, subscriptionId: string) => sql`
        webhook_deliveries d JOIN webhook_subscriptions s USING (subscription_id) LEFT JOIN webhook_events e USING (event_id)
        WHERE s.account_id = ${accountId} AND s.subscription_id = ${uuidParameter(subscriptionId)}::uuid AND s.removed_at IS NULL`

      const decodeDeliveries = Schema.decodeUnknownEffect(Schema.Array(StoredDelivery))
      const columns = sql.literal(deliveryColumns)

      const get = (accountId: AccountId, subscriptionId: string, deliveryId: string) =>
        Effect.map(
          Effect.flatMap(
            sql`SELECT ${columns} FROM ${owned(accountId, subscriptionId)} AND d.delivery_id = ${numberParameter(deliveryId)}::bigint`,
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
            FROM ${owned(accountId, subscriptionId)} AND d.delivery_id = ${numberParameter(deliveryId)}::bigint AND e.event_id IS NOT NULL
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

      const nextDue = (after: Date) =>
        Effect.map(
          Effect.flatMap(
            sql`SELECT floor(extract(epoch FROM min(l.due_at)) * 1000)::bigint AS due
            FROM webhook_lanes l JOIN webhook_subscriptions s USING (subscription_id)
            WHERE l.pending > 0 AND l.leased_until IS NULL AND l.due_at > ${after} AND s.status = 'active'`,
            Schema.decodeUnknownEffect(Schema.NonEmptyArray(Schema.Struct({ due: Schema.NullOr(Counter) }))),
          ),
          ([{ due }]) => due ?? undefined,
        )

      return WebhookDeliveries.of({
        claim: storeFn("WebhookDeliveries.claim", limit, claim),
        record: storeFn("WebhookDeliveries.record", limit, (results) =>
          results.length === 0
            ? Effect.void
            : Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.asVoid(record(results, new Date(now)))),
        ),
        nextDue: storeFn("WebhookDeliveries.nextDue", limit, (after) => nextDue(new Date(after))),
        list: storeFn("WebhookDeliveries.list", limit, list),
        get: storeFn("WebhookDeliveries.get", limit, get),
        resend: storeFn("WebhookDeliveries.resend", limit, resend),
      })
    }),
  )
}

/** Due lanes at either end that one claim considers. */
const DUE_AT_ONCE = 1_000

const dateOf = (ms: number): Date => new Date(ms)
