/** Reference implementation of a change record. Every encoder must produce the same. */
import { changeRecord } from "@matchpoint/cs2/contract/changeRecord"
import { projectEvent } from "@matchpoint/cs2/live/projectEvent"
import { projectMatch } from "@matchpoint/cs2/live/projectMatch"
import type { FeedEvent } from "@matchpoint/cs2/rules/live/feedEvents"
import type { MatchState } from "@matchpoint/cs2/rules/live/state"

/** `isKeyframe` is true for the first record of an encoder. */
export const naiveRecord = (before: MatchState | undefined, after: MatchState, event: FeedEvent, isKeyframe: boolean): Uint8Array =>
  changeRecord({
    matchId: after.matchId,
    epoch: after.epoch,
    seq: after.seq,
    observedAt: new Date(event.observedAt).toISOString(),
    receivedAt: new Date(event.receivedAt).toISOString(),
    before: before !== undefined && before.epoch === after.epoch ? projectMatch(before) : undefined,
    after: projectMatch(after),
    event: projectEvent(after, event),
    isKeyframe,
  })
