/** Reads the newest snapshot of a match from LIVE: the last keyframe (a complete snapshot) and the changes after it. */
import type { EventLog } from "@matchpoint/bus/EventLog"
import { sinceKeyframe } from "@matchpoint/bus/sinceKeyframe"
import { LIVE, liveSubject } from "@matchpoint/contracts/bus/subjects"
import type { LiveState } from "@matchpoint/contracts/game/LiveContract"
import { readRecord } from "@matchpoint/contracts/stream/record"
import { stateAfter } from "@matchpoint/contracts/stream/stateAfter"
import type { MatchId } from "@matchpoint/domain/ids"
import { Effect, Option, Schema } from "effect"
import type { CompactMatch } from "../../contract/CompactMatch.ts"
import { cs2Live } from "../../contract/cs2Live.ts"
import { LiveMatch } from "../../contract/LiveMatch.ts"

const isLiveMatch = Schema.is(LiveMatch)

/** Undefined if LIVE contains no readable snapshot. */
export const newestMatch = Effect.fnUntraced(function* (log: EventLog["Service"], matchId: MatchId) {
  const last = Option.getOrUndefined(yield* log.last(LIVE, liveSubject(matchId)))
  if (last === undefined) return undefined
  let state: LiveState | undefined
  for (const { data } of yield* sinceKeyframe(log, matchId, last.sequence)) {
    const record = readRecord(data)
    state = record === undefined ? undefined : stateAfter(cs2Live, state, record)
  }
  if (state === undefined) return undefined
  const match = cs2Live.fullOf(state as LiveState<CompactMatch>)
  return isLiveMatch(match) ? match : undefined
})
