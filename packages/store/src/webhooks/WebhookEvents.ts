/**
 * Stores the events that customers receive as webhooks, and queues one delivery for each active subscription that an
 * event matches, in one statement: an event that is already stored queues nothing. Events that match no subscription are
 * not stored. Deliveries are made by `WebhookDeliveries`.
 *
 * A statement queues a limited number of deliveries. If an event has more, its row states the last subscription, and the
 * next statement continues after it.
 */
import { PgClient } from "@effect/sql-pg"
import type { AccountId } from "@matchpoint/domain/accounts"
import { Clock, Context, Effect, Layer, Schema } from "effect"
import { Counter } from "../Counter.ts"
import { OperationTimeout, type StoreError, storeFn } from "../StoreError.ts"
import { eventStatements } from "./eventStatements.ts"
import { WebhookWakeups } from "./WebhookWakeups.ts"

/** Events of a lane must be written in their order. */
export interface NewWebhookEvent {
  readonly eventId: string
  readonly name: string
  readonly game: string
  /** Match, or another subject whose events are in order. */
  readonly lane: string
  readonly epoch: number
  readonly seq: number
  /** Position among the events of the same change, from 0. */
  readonly place: number
  readonly teamIds: ReadonlyArray<string>
  readonly playerIds: ReadonlyArray<string>
  /** Epoch ms. */
  readonly occurredAt: number
  /** JSON text. */
  readonly data: string
  /** The only account that may receive the event. Absent: every account. */
  readonly accountId?: AccountId
  /** The fact from which this event was derived; `receivedAt` is epoch ms. */
  readonly fact?: { readonly id: string; readonly receivedAt: number }
}

/** Events stored after a time (epoch ms), or those of a match after a position. */
export type ResendFrom = { readonly since: number } | { readonly matchId: string; readonly epoch: number; readonly seq: number }

export interface StoredPart {
  /** Number of the first events of the list that are completely stored, or match no subscription. */
  readonly events: number
  readonly deliveries: number
}

/**
 * Measured with 400 webhooks that match every event: a statement of this size took 0.4 to 0.6 s, 20 to 30 microseconds
 * per delivery (PostgreSQL 15, 2 cores; 1 to 500 matches). So the server may be 16 times slower before it cancels the
 * statement after 10 s.
 */
export const MAX_DELIVERIES_AT_ONCE = 20_000

/** Deliveries that one call of `resend` queues. */
export const MAX_RESENT = 10_000

export class WebhookEvents extends Context.Service<
  WebhookEvents,
  {
    /**
     * Returns the number of queued deliveries. Events of paused and disabled subscriptions are stored too, so that they
     * can be sent later with `resend`. Uses several statements if there are more than `MAX_DELIVERIES_AT_ONCE`
     * deliveries. After a failure, some events may be stored: repeat the call with the same events to store the rest.
     */
    readonly write: (events: ReadonlyArray<NewWebhookEvent>) => Effect.Effect<number, StoreError>
    /**
     * As `write`, with one statement that queues at most `maxDeliveries`. Call it again with the events that are not
     * completely stored. If another process stores one of them at the same time, the call may store nothing.
     */
    readonly writeSome: (events: ReadonlyArray<NewWebhookEvent>, maxDeliveries: number) => Effect.Effect<StoredPart, StoreError>
    /** Writes for one subscription only, whatever its filters. */
    readonly writeFor: (subscriptionId: string, event: NewWebhookEvent) => Effect.Effect<number, StoreError>
    /**
     * Queues deliveries of stored events that match an active subscription, oldest first and at most `MAX_RESENT`,
     * except those still pending. Returns the number of queued deliveries, or 0 if the account has no such active
     * subscription.
     */
    readonly resend: (accountId: AccountId, subscriptionId: string, from: ResendFrom) => Effect.Effect<number, StoreError>
    /**
     * Deletes deliveries created before a time (epoch ms), pending or not, and events that no delivery needs. Deletes a
     * limited number of rows and returns their number, so that callers repeat it until it returns 0.
     */
    readonly prune: (before: number) => Effect.Effect<number, StoreError>
  }
>()("@matchpoint/store/webhooks/WebhookEvents") {
  static readonly layer = Layer.effect(
    WebhookEvents,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout
      const wakeups = yield* WebhookWakeups

      const { addToLanes, fits, writeFor, writeSome } = eventStatements(sql)

      const woken = (queued: number) => (queued > 0 ? Effect.as(wakeups.wake, queued) : Effect.succeed(queued))

      const resend = (accountId: AccountId, subscriptionId: string, from: ResendFrom, now: Date) => sql`
        WITH chosen AS (
          SELECT s.subscription_id, e.event_id, e.lane FROM webhook_events e JOIN webhook_subscriptions s ON s.status = 'active' AND ${fits}
          WHERE s.subscription_id = ${subscriptionId} AND s.account_id = ${accountId}
            AND ${
              "since" in from
                ? sql`e.written_at >= ${new Date(from.since)}`
                : sql`e.lane = ${from.matchId} AND (e.epoch, e.seq) > (${from.epoch}::integer, ${from.seq}::bigint)`
            }
            AND NOT EXISTS (
              SELECT FROM webhook_deliveries d
              WHERE d.event_id = e.event_id AND d.subscription_id = s.subscription_id AND d.status = 'pending')
          ORDER BY e.written_at, e.lane, e.epoch, e.seq, e.place LIMIT ${MAX_RESENT}
        ),
        queued AS (
          INSERT INTO webhook_deliveries (subscription_id, event_id, lane, created_at)
          SELECT subscription_id, event_id, lane, ${now} FROM chosen
          RETURNING subscription_id, lane
        ),
        lanes AS (${addToLanes(now)})
        SELECT (SELECT count(*) FROM queued) AS count, (SELECT count(*) FROM lanes) AS lanes`

      const prune = (before: Date) => sql`
        WITH old AS (
          SELECT delivery_id FROM webhook_deliveries WHERE created_at < ${before} ORDER BY created_at LIMIT ${PRUNED_AT_ONCE}
        ),
        deleted AS (
          DELETE FROM webhook_deliveries WHERE delivery_id IN (SELECT delivery_id FROM old) RETURNING subscription_id, lane, status
        ),
        lanes AS (
          UPDATE webhook_lanes l SET pending = l.pending - d.count, failures = 0
          FROM (SELECT subscription_id, lane, count(*)::integer FROM deleted WHERE status = 'pending' GROUP BY 1, 2) AS d
          WHERE l.subscription_id = d.subscription_id AND l.lane = d.lane
          RETURNING 1
        ),
        idle AS (
          DELETE FROM webhook_lanes WHERE (subscription_id, lane) IN (
            SELECT subscription_id, lane FROM webhook_lanes WHERE pending = 0 AND due_at < ${before} LIMIT ${PRUNED_AT_ONCE}
            FOR UPDATE SKIP LOCKED)
          RETURNING 1
        ),
        events AS (
          DELETE FROM webhook_events WHERE event_id IN (
            SELECT e.event_id FROM webhook_events e
            WHERE e.written_at < ${before} AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.event_id = e.event_id)
            ORDER BY e.written_at LIMIT ${PRUNED_AT_ONCE})
          RETURNING 1
        )
        SELECT (SELECT count(*) FROM deleted) + (SELECT count(*) FROM events) + (SELECT count(*) FROM idle) AS count,
          (SELECT count(*) FROM lanes) AS lanes`

      const counted = (statement: (now: Date) => ReturnType<typeof writeFor>) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.flatMap(statement(new Date(now)), countOf))

      const storePart = storeFn(
        "WebhookEvents.writeSome",
        limit,
        function* (events: ReadonlyArray<NewWebhookEvent>, maxDeliveries: number) {
          if (events.length === 0) return { events: 0, deliveries: 0 }
          const now = dateOf(yield* Clock.currentTimeMillis)
          const [part] = yield* Effect.flatMap(writeSome(events, maxDeliveries, now), decodePart)
          yield* woken(part.deliveries)
          return part
        },
      )

      return WebhookEvents.of({
        write: Effect.fn("WebhookEvents.write")(function* (events) {
          let [rest, queued] = [events, 0]
          while (rest.length > 0) {
            const part = yield* storePart(rest, MAX_DELIVERIES_AT_ONCE)
            rest = rest.slice(part.events)
            queued += part.deliveries
          }
          return queued
        }),
        writeSome: storePart,
        writeFor: storeFn("WebhookEvents.writeFor", limit, (subscriptionId, event) =>
          Effect.flatMap(
            counted((now) => writeFor(subscriptionId, event, now)),
            woken,
          ),
        ),
        resend: storeFn("WebhookEvents.resend", limit, (accountId, subscriptionId, from) =>
          Effect.flatMap(
            counted((now) => resend(accountId, subscriptionId, from, now)),
            woken,
          ),
        ),
        prune: storeFn("WebhookEvents.prune", limit, (before) => Effect.flatMap(prune(new Date(before)), countOf)),
      })
    }),
  )
}

const PRUNED_AT_ONCE = 2_000

const decodePart = Schema.decodeUnknownEffect(Schema.NonEmptyArray(Schema.Struct({ events: Counter, deliveries: Counter })))

const decodeCount = Schema.decodeUnknownEffect(Schema.NonEmptyArray(Schema.Struct({ count: Counter })))

const countOf = (rows: unknown) => Effect.map(decodeCount(rows), ([{ count }]) => count)

const dateOf = (ms: number): Date => new Date(ms)
