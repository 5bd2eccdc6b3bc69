/**
 * One match being folded: takes records of FEED in order, gives back what to publish or why not. Synchronous and without
 * effects, so that the same code runs in the actor, in replays and in simulations.
 */
import { decodeFeedEvent, type FeedRejection } from "@matchpoint/contracts/bus/feed"
import { compactEvent, compactOf } from "@matchpoint/contracts/stream/compact/compactOf"
import { diff } from "@matchpoint/contracts/stream/compact/mergePatch"
import { HASH_EVERY, stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import { deltaText, encodeRecord, updateText } from "@matchpoint/contracts/stream/frames"
import type { RejectionCode } from "@matchpoint/domain/cs2/decide"
import type { FeedEvent } from "@matchpoint/domain/cs2/feedEvents"
import { fold } from "@matchpoint/domain/cs2/fold"
import type { MatchState } from "@matchpoint/domain/cs2/state"
import type { MatchId } from "@matchpoint/domain/ids"
import { Result } from "effect"
import { projectEvent } from "./projectEvent.ts"
import { projectMatch } from "./projectMatch.ts"

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

/** The record of a change, as it goes to LIVE: the same bytes whoever makes it, from whichever checkpoint. */
export const recordOf = (before: MatchState | undefined, after: MatchState, event: FeedEvent): Uint8Array => {
  const match = projectMatch(after)
  const compact = compactOf(match)
  const continues = before !== undefined && before.epoch === after.epoch
  const patch = diff(continues ? compactOf(projectMatch(before)) : {}, compact) ?? {}
  const row = projectEvent(after, event)
  const head = {
    matchId: after.matchId,
    epoch: after.epoch,
    seq: after.seq,
    observedAt: new Date(event.observedAt).toISOString(),
    receivedAt: new Date(event.receivedAt).toISOString(),
  }
  return encodeRecord(
    updateText({ ...head, event: row }, JSON.stringify(match)),
    deltaText({
      ...head,
      base: continues ? before.seq : 0,
      events: row === null ? [] : [compactEvent(row)],
      patch,
      ...(after.seq % HASH_EVERY === 0 ? { hash: stateHash(compact) } : {}),
    }),
  )
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
