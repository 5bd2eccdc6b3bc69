/**
 * One match being folded: takes records of FEED in order, gives back the next state or why not. Synchronous and without
 * effects, so that the same code runs in the actor, in replays and in simulations.
 */
import { decodeFeedEvent, type FeedRejection } from "@matchpoint/contracts/bus/feed"
import type { RejectionCode } from "@matchpoint/domain/cs2/decide"
import type { FeedEvent } from "@matchpoint/domain/cs2/feedEvents"
import { fold } from "@matchpoint/domain/cs2/fold"
import type { MatchState } from "@matchpoint/domain/cs2/state"
import type { MatchId } from "@matchpoint/domain/ids"
import { Result } from "effect"

export type Step =
  | { readonly _tag: "Accepted"; readonly state: MatchState; readonly event: FeedEvent }
  | { readonly _tag: "Rejected"; readonly event: FeedEvent | undefined; readonly rejection: FeedRejection }

/** Folds one record. Whatever is in it, it neither throws nor changes `state` unless it is accepted. */
export const foldRecord = (
  matchId: MatchId,
  state: MatchState | undefined,
  record: { readonly data: Uint8Array; readonly appendedAt: number },
): Step => {
  const decoded = decodeFeedEvent(record.data)
  if (Result.isFailure(decoded)) {
    return rejected(matchId, undefined, record, "malformed", String(decoded.failure))
  }
  const event = decoded.success
  if (event.matchId !== matchId)
    return rejected(matchId, event, record, "wrong_match", `this is ${matchId}, the event belongs to ${event.matchId}`)
  try {
    const step = fold(state, event)
    return step._tag === "Accepted"
      ? { _tag: "Accepted", state: step.state, event }
      : rejected(matchId, event, record, step.rejection.code, step.rejection.message)
  } catch (defect) {
    // A bug in the fold costs this event, not the match: it will be refused the same way on every node.
    return rejected(matchId, event, record, "fold_defect", String(defect))
  }
}

const text = new TextDecoder()

const rejected = (
  matchId: MatchId,
  event: FeedEvent | undefined,
  record: { readonly data: Uint8Array; readonly appendedAt: number },
  code: RejectionCode,
  message: string,
): Step => ({
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
