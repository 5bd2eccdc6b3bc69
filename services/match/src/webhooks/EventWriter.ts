/**
 * Writes webhook events with statements that the database completes in time. After a timeout it writes half as many
 * events and deliveries at once, down to a part of one event, and more again as soon as statements are fast. Otherwise,
 * a write that takes too long would be repeated unchanged for ever. The outbox and the derivation share one writer.
 */
import { monotonicOf } from "@matchpoint/domain/monotonic"
import type { StoreError } from "@matchpoint/store/StoreError"
import { MAX_DELIVERIES_AT_ONCE, type NewWebhookEvent, type WebhookEvents } from "@matchpoint/store/webhooks/WebhookEvents"
import { Clock, Effect, Metric } from "effect"

export const eventsWritten = Metric.counter("matchpoint_webhook_events_total", {
  description: "Webhook events derived from matches and written to the database",
  incremental: true,
})
export const eventsDropped = Metric.counter("matchpoint_webhook_events_dropped_total", {
  description: "Webhook events that the database rejected because of their content",
  incremental: true,
})

/** Maximum number of events per statement. */
export const EVENTS_AT_ONCE = 500
/** The smallest statement writes one event for at least this share of `MAX_DELIVERIES_AT_ONCE`, which is 39 webhooks. */
const SMALLEST_SHARE = 1 / 512
/** If a statement is at most this slow, the next one is twice as large, so it cannot be expected to time out. */
const FAST_MS = 1_000

export class EventWriter {
  readonly #events: WebhookEvents["Service"]
  /** Size of the next statement as a share of the largest one. */
  #share = 1

  constructor(events: WebhookEvents["Service"]) {
    this.#events = events
  }

  /**
   * Writes events in order. Those that the database rejects because of their content are dropped and logged. Fails if
   * the database does not respond, or times out even with the smallest statement. Then some events may be written.
   */
  readonly write = Effect.fnUntraced(function* (this: EventWriter, rows: ReadonlyArray<NewWebhookEvent>) {
    let [written, rejectedUpTo] = [0, 0]
    while (written < rows.length) {
      // One of the events up to `rejectedUpTo` cannot be written, so each is written alone.
      const atOnce = written < rejectedUpTo ? 1 : atLeastOne(EVENTS_AT_ONCE * this.#share)
      const batch = rows.slice(written, written + atOnce)
      const outcome = yield* this.#writeSome(batch)
      if (outcome !== "rejected") written += outcome
      else if (batch.length > 1) rejectedUpTo = written + batch.length
      else written += 1
    }
  })

  /** Returns the number of written events, 0 after a timeout. */
  readonly #writeSome = (batch: ReadonlyArray<NewWebhookEvent>) =>
    this.#timed(batch).pipe(
      Effect.tap((written) => Metric.update(eventsWritten, written)),
      Effect.catchIf(
        (error) => error.isTimeout && this.#share > SMALLEST_SHARE,
        (error) => {
          this.#share /= 2
          return Effect.as(Effect.logWarning("writing webhook events took too long; writing half as many at once", error), 0)
        },
      ),
      Effect.catchIf(
        (error) => error.isPermanent,
        (error) => Effect.as(batch.length > 1 ? Effect.void : reportRejected(batch, error), "rejected" as const),
      ),
    )

  readonly #timed = Effect.fnUntraced(function* (this: EventWriter, batch: ReadonlyArray<NewWebhookEvent>) {
    const monotonic = monotonicOf(yield* Clock.Clock)
    const begunAt = monotonic()
    const maxDeliveries = atLeastOne(MAX_DELIVERIES_AT_ONCE * this.#share)
    const { deliveries, events } = yield* this.#events.writeSome(batch, maxDeliveries)
    // A statement that had less to do says nothing about a larger one.
    const isFull = deliveries >= maxDeliveries || batch.length >= EVENTS_AT_ONCE * this.#share
    if (isFull && monotonic() - begunAt <= FAST_MS) this.#share = Math.min(1, this.#share * 2)
    return events
  })
}

const atLeastOne = (count: number): number => Math.max(1, Math.floor(count))

const reportRejected = (events: ReadonlyArray<NewWebhookEvent>, error: StoreError) =>
  Effect.forEach(events, ({ eventId }) => Effect.logError(`the database rejects the webhook event ${eventId}; it is lost`, error)).pipe(
    Effect.andThen(Metric.update(eventsDropped, events.length)),
  )
