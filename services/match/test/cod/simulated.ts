/** Simulated Call of Duty matches for tests of the match service. */
import { codRules } from "@matchpoint/cod/rules/live/codRules"
import type { FeedEvent } from "@matchpoint/cod/rules/live/feedEvents"
import type { MatchState } from "@matchpoint/cod/rules/live/state"
import { type MatchOptions, simulateMatch } from "@matchpoint/cod/simulator/live/simulateMatch"
import { toFeedEvent } from "@matchpoint/cod/simulator/live/timedFact"
import { scheduledMatch } from "@matchpoint/cod/simulator/live/world"
import { gameName, type MatchId, matchIdOf } from "@matchpoint/domain/ids"

export const codMatch = (number: number): MatchId => matchIdOf(gameName("cod"), number)

const START = Date.UTC(2026, 5, 1, 12)

/** Returns the events of the n-th simulated match. A best of three has one map of each mode. */
export const simulatedCodEvents = (n: number, matchId: MatchId, change: Partial<MatchOptions> = {}): ReadonlyArray<FeedEvent> =>
  [...simulateMatch({ ...scheduledMatch(1, n, 2026), matchId, ...change })].map((fact) => {
    const at = START + fact.offsetMs
    return toFeedEvent(fact, { observedAt: at, receivedAt: at + 20 })
  })

/** A change of a match, with the states before and after it. */
export interface Change {
  readonly before: MatchState | undefined
  readonly after: MatchState
  readonly event: FeedEvent
}

export const changesOf = (events: Iterable<FeedEvent>): ReadonlyArray<Change> => {
  let before: MatchState | undefined
  return [...events].map((event) => {
    const step = codRules.fold(before, event)
    if (step._tag === "Rejected") throw new Error(`${event.id}: ${step.rejection.message}`)
    const change = { before, after: step.state, event }
    before = step.state
    return change
  })
}
