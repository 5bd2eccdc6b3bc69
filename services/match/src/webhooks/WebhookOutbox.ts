/**
 * Writes the webhook events of all matches of this process, many matches in one statement. The hot path only adds
 * events to a list in memory. While the database does not respond, the list of each match is bounded: further events
 * are derived again later, from the match's checkpoint and FEED (`deriveAgain`).
 */
import { EventLog } from "@matchpoint/bus/EventLog"
import type { MatchId } from "@matchpoint/domain/ids"
import type { LiveGame } from "@matchpoint/game/live/LiveGame"
import { MatchCheckpoints } from "@matchpoint/game/live/MatchCheckpoints"
import { MatchConfig } from "@matchpoint/game/live/MatchConfig"
import { WebhookEvents } from "@matchpoint/store/webhooks/WebhookEvents"
import { Context, Duration, Effect, Latch, Layer } from "effect"
import { deriveAgain } from "./deriveAgain.ts"
import { EVENTS_AT_ONCE, EventWriter } from "./EventWriter.ts"
import { MatchOutbox, type OnDefect } from "./MatchOutbox.ts"

/** Time for which the first event of a batch waits for others. */
const GATHER = Duration.millis(20)
const RETRY_AFTER_MS = { first: 200, longest: 5_000 } as const

export class WebhookOutbox extends Context.Reference<{
  /** Undefined if the game has no webhook events. */
  readonly open: (game: LiveGame, matchId: MatchId) => MatchOutbox | undefined
}>("@matchpoint/service-match/webhooks/WebhookOutbox", { defaultValue: () => ({ open: () => undefined }) }) {
  /** Without this layer, matches have no webhook events. */
  static readonly layer = Layer.effect(
    WebhookOutbox,
    Effect.gen(function* () {
      const writer = new EventWriter(yield* WebhookEvents)
      const log = yield* EventLog
      const checkpoints = yield* MatchCheckpoints
      const { webhookEventsInMemory } = yield* MatchConfig
      const waiting = new Set<MatchOutbox>()
      const runFork = Effect.runForkWith(yield* Effect.context<never>())

      const onDefect: OnDefect = ({ after: { epoch, matchId, seq } }, defect) => {
        runFork(Effect.logError(`${matchId}: a bug prevents the webhook events of change ${epoch}.${seq}; they are lost`, defect))
      }
      const someWait = yield* Latch.make(false)

      const writeNext = Effect.gen(function* () {
        const batch: Array<MatchOutbox> = []
        let room = EVENTS_AT_ONCE
        for (const outbox of waiting) {
          if (room <= 0) break
          room -= outbox.take(room)
          batch.push(outbox)
        }
        yield* writer.write(batch.flatMap(({ taken }) => taken))
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
                (reached) => deriveAgain({ checkpoints, game, log, matchId, onDefect, reached, write: (rows) => writer.write(rows) }),
                onDefect,
              ),
      }
    }),
  )
}
