/**
 * Writes the webhook events of all matches of this process to the database, many matches in one statement. The hot path
 * only adds events to a list in memory. If the database does not respond, the list of each match is bounded: beyond the
 * bound its events are derived again later, from the match's checkpoint and the FEED stream (`deriveAgain`).
 */
import { EventLog } from "@matchpoint/bus/EventLog"
import type { MatchId } from "@matchpoint/domain/ids"
import { type NewWebhookEvent, WebhookEvents } from "@matchpoint/store/webhooks/WebhookEvents"
import { Context, Duration, Effect, Latch, Layer, Metric } from "effect"
import { MatchCheckpoints } from "../actor/MatchCheckpoints.ts"
import type { LiveGame } from "../LiveGame.ts"
import { MatchConfig } from "../MatchConfig.ts"
import { deriveAgain } from "./deriveAgain.ts"
import { MatchOutbox, type OnDefect } from "./MatchOutbox.ts"

export const eventsWritten = Metric.counter("matchpoint_webhook_events_total", {
  description: "Webhook events derived from matches and written to the database",
  incremental: true,
})
export const eventsDropped = Metric.counter("matchpoint_webhook_events_dropped_total", {
  description: "Webhook events that the database rejected because of their content",
  incremental: true,
})

/** Maximum number of events written with one statement. */
const EVENTS_AT_ONCE = 500
/** How long the first event of a batch waits for others. */
const GATHER = Duration.millis(20)
const RETRY_AFTER_MS = { first: 200, longest: 5_000 } as const

export class WebhookOutbox extends Context.Reference<{
  /** Returns the outbox of one match, or undefined if the game has no webhook events. */
  readonly open: (game: LiveGame, matchId: MatchId) => MatchOutbox | undefined
}>("@matchpoint/service-match/webhooks/WebhookOutbox", { defaultValue: () => ({ open: () => undefined }) }) {
  /** Without this layer, matches have no webhook events. */
  static readonly layer = Layer.effect(
    WebhookOutbox,
    Effect.gen(function* () {
      const events = yield* WebhookEvents
      const log = yield* EventLog
      const checkpoints = yield* MatchCheckpoints
      const { webhookEventsInMemory } = yield* MatchConfig
      const waiting = new Set<MatchOutbox>()
      const runFork = Effect.runForkWith(yield* Effect.context<never>())

      const onDefect: OnDefect = ({ after: { epoch, matchId, seq } }, defect) => {
        runFork(Effect.logError(`${matchId}: a bug prevents the webhook events of change ${epoch}.${seq}; they are lost`, defect))
      }
      const someWait = yield* Latch.make(false)

      const write = (rows: ReadonlyArray<NewWebhookEvent>) => Effect.andThen(events.write(rows), Metric.update(eventsWritten, rows.length))

      /** Writes one event after the database has rejected a batch that contains it. */
      const writeAlone = (row: NewWebhookEvent) =>
        Effect.catchIf(
          write([row]),
          (error) => error.isPermanent,
          (error) =>
            Effect.andThen(
              Effect.logError(`the database rejects the webhook event ${row.eventId}; it is lost`, error),
              Metric.update(eventsDropped, 1),
            ),
        )

      const writeNext = Effect.gen(function* () {
        const batch: Array<MatchOutbox> = []
        let room = EVENTS_AT_ONCE
        for (const outbox of waiting) {
          if (room <= 0) break
          room -= outbox.take(room)
          batch.push(outbox)
        }
        const rows = batch.flatMap(({ taken }) => taken)
        yield* Effect.catchIf(
          write(rows),
          (error) => error.isPermanent,
          () => Effect.forEach(rows, writeAlone, { discard: true }),
        )
        for (const outbox of batch) if (outbox.acknowledge()) waiting.delete(outbox)
      })

      let waitMs: number = RETRY_AFTER_MS.first
      yield* someWait.await.pipe(
        Effect.andThen(someWait.close),
        Effect.andThen(Effect.sleep(GATHER)),
        Effect.andThen(Effect.whileLoop({ while: () => waiting.size > 0, body: () => writeNext, step: () => {} })),
        Effect.andThen(
          Effect.sync(() => {
            waitMs = RETRY_AFTER_MS.first
          }),
        ),
        Effect.catchCause((cause) =>
          Effect.logWarning("cannot write webhook events; retrying", cause).pipe(
            Effect.andThen(Effect.sleep(waitMs)),
            Effect.andThen(
              Effect.suspend(() => {
                waitMs = Math.min(waitMs * 2, RETRY_AFTER_MS.longest)
                return someWait.open
              }),
            ),
          ),
        ),
        Effect.forever,
        Effect.annotateLogs({ service: "webhooks" }),
        Effect.forkScoped,
      )

      const wait = (outbox: MatchOutbox) => {
        waiting.add(outbox)
        someWait.openUnsafe()
      }

      return {
        open: (game, matchId) =>
          game.webhookEvents === undefined
            ? undefined
            : new MatchOutbox(
                game,
                matchId,
                webhookEventsInMemory,
                wait,
                (reached) =>
                  deriveAgain({ checkpoints, game, log, matchId, onDefect, reached, write: (rows) => Effect.asVoid(write(rows)) }),
                onDefect,
              ),
      }
    }),
  )
}
