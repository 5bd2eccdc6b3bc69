/**
 * Derives the webhook events of a match again, from its stored checkpoint and FEED, beside the actor, which continues
 * to publish. A checkpoint is saved only after all events up to it are in the database, so no event is missed. Events
 * that are already there are ignored.
 */
import type { EventLog } from "@matchpoint/bus/EventLog"
import { FEED, feedSubject } from "@matchpoint/contracts/bus/subjects"
import type { GameState } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import type { LiveGame } from "@matchpoint/game/live/LiveGame"
import type { MatchCheckpoints } from "@matchpoint/game/live/MatchCheckpoints"
import { StoreError } from "@matchpoint/store/StoreError"
import type { NewWebhookEvent } from "@matchpoint/store/webhooks/WebhookEvents"
import { Effect, Stream } from "effect"
import { foldRecord } from "../actor/foldRecord.ts"
import { eventRows, type OnDefect } from "./MatchOutbox.ts"

export interface Derivation {
  readonly game: LiveGame
  readonly matchId: MatchId
  readonly log: EventLog["Service"]
  readonly checkpoints: MatchCheckpoints["Service"]
  readonly onDefect: OnDefect
  readonly write: (rows: ReadonlyArray<NewWebhookEvent>) => Effect.Effect<void, StoreError>
  /** Newest record of FEED that the actor has folded. */
  readonly reached: () => number
}

/**
 * Continues until it has passed every record that the actor has folded, and returns the last sequence. If FEED has
 * dropped records, events are lost: this is logged, and the result is `reached`.
 */
export const deriveAgain = Effect.fn("WebhookOutbox.deriveAgain")(
  function* ({ checkpoints, game, log, matchId, onDefect, reached, write }: Derivation) {
    const checkpoint = yield* checkpoints.load(game.rules, matchId)
    let state: GameState | undefined = checkpoint?.state
    let sequence = state === undefined ? 0 : (checkpoint?.feedSequence ?? 0)
    const { first } = yield* log.bounds(FEED)
    if (state !== undefined && sequence + 1 < first) {
      yield* Effect.logError(`${matchId}: FEED has dropped records after the checkpoint; webhook events of the match are lost`)
      return reached()
    }
    yield* Effect.logInfo(`${matchId}: deriving webhook events again from record ${sequence} of FEED`)
    while (sequence < reached()) {
      const from = sequence === 0 ? ({ _tag: "First" } as const) : ({ _tag: "After", sequence } as const)
      const before = sequence
      yield* Stream.runForEachArray(log.read(FEED, feedSubject(matchId), from), (records) => {
        const rows: Array<NewWebhookEvent> = []
        for (const record of records) {
          const step = foldRecord(game, matchId, state, record)
          sequence = record.sequence
          if (step._tag === "Rejected") continue
          const change = { before: state, after: step.state, event: step.event, repaired: step.repaired }
          for (const row of eventRows(game, change, onDefect)) rows.push(row)
          state = step.state
        }
        return write(rows)
      })
      if (sequence === before) {
        yield* Effect.logError(`${matchId}: FEED no longer contains the records after ${sequence}; their webhook events are lost`)
        return reached()
      }
    }
    return sequence
  },
  (derivation, { matchId }) =>
    Effect.catchTag(derivation, "LogError", (cause) =>
      Effect.fail(new StoreError({ operation: `WebhookOutbox.deriveAgain of ${matchId}`, cause })),
    ),
)
