/**
 * Folds records of FEED in order: the next state, or the reason why a record is rejected. Synchronous and without side
 * effects, so that the actor, replays and simulations can all use it.
 */
import type { FeedRejection } from "@matchpoint/contracts/bus/feed"
import type { GameEvent, GameState } from "@matchpoint/domain/game/GameRules"
import type { MatchId } from "@matchpoint/domain/ids"
import type { LiveGame } from "@matchpoint/game/live/LiveGame"
import { Result } from "effect"

export type Step<State extends GameState = GameState, Event extends GameEvent = GameEvent> =
  | { readonly _tag: "Accepted"; readonly state: State; readonly event: Event; readonly repaired?: string | undefined }
  | { readonly _tag: "Rejected"; readonly event: Event | undefined; readonly rejection: FeedRejection }

interface Folded {
  readonly data: Uint8Array
  readonly appendedAt: number
}

/** Never throws, whatever the record contains. If it is rejected, `state` does not change. */
export const foldRecord = <State extends GameState, Event extends GameEvent>(
  game: LiveGame<State, Event>,
  matchId: MatchId,
  state: State | undefined,
  record: Folded,
): Step<State, Event> => {
  const decoded = game.decodeEvent(record.data)
  if (Result.isFailure(decoded)) {
    return rejected(matchId, undefined, record, "malformed", String(decoded.failure))
  }
  const event = decoded.success
  if (event.matchId !== matchId)
    return rejected(matchId, event, record, "wrong_match", `this is ${matchId}, the event belongs to ${event.matchId}`)
  try {
    const step = game.rules.fold(state, event)
    return step._tag === "Accepted"
      ? { _tag: "Accepted", state: step.state, event, repaired: step.repaired }
      : rejected(matchId, event, record, step.rejection.code, step.rejection.message)
  } catch (defect) {
    // If a bug makes the fold throw, only this event is lost, not the whole match. Every node rejects the same event.
    return rejected(matchId, event, record, "fold_defect", String(defect))
  }
}

const text = new TextDecoder()

const rejected = <Event>(
  matchId: MatchId,
  event: (Event & GameEvent) | undefined,
  record: Folded,
  code: string,
  message: string,
): { readonly _tag: "Rejected"; readonly event: Event | undefined; readonly rejection: FeedRejection } => ({
  _tag: "Rejected",
  event,
  rejection: {
    matchId,
    factId: event?.id ?? null,
    type: event?.type ?? null,
    code,
    message,
    receivedAt: event?.receivedAt ?? record.appendedAt,
    raw: text.decode(record.data),
  },
})
