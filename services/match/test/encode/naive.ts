/** The record of a change, made the plain way: both documents whole, and their difference. What every encoder must come to. */
import { compactEvent, compactOf } from "@matchpoint/contracts/stream/compact/compactOf"
import { diff } from "@matchpoint/contracts/stream/compact/mergePatch"
import { HASH_EVERY, stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import { deltaText, encodeRecord, updateText } from "@matchpoint/contracts/stream/frames"
import type { FeedEvent } from "@matchpoint/domain/cs2/feedEvents"
import type { MatchState } from "@matchpoint/domain/cs2/state"
import { projectEvent } from "../../src/projectEvent.ts"
import { projectMatch } from "../../src/projectMatch.ts"

export const naiveRecord = (before: MatchState | undefined, after: MatchState, event: FeedEvent): Uint8Array => {
  const match = projectMatch(after)
  const compact = compactOf(match)
  const continues = before !== undefined && before.epoch === after.epoch
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
      patch: diff(continues ? compactOf(projectMatch(before)) : {}, compact) ?? {},
      ...(after.seq % HASH_EVERY === 0 ? { hash: stateHash(compact) } : {}),
    }),
  )
}
