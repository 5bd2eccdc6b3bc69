/** Simulated tennis matches for tests of the match service. */
import { gameName, type MatchId, matchIdOf } from "@matchpoint/domain/ids"
import type { FeedEvent } from "@matchpoint/tennis/rules/live/feedEvents"
import type { MatchState } from "@matchpoint/tennis/rules/live/state"
import { tennisRules } from "@matchpoint/tennis/rules/live/tennisRules"
import { type MatchOptions, simulateMatch } from "@matchpoint/tennis/simulator/live/simulateMatch"
import { toFeedEvent } from "@matchpoint/tennis/simulator/live/timedFact"
import { scheduledMatch } from "@matchpoint/tennis/simulator/live/world"

export const tennisMatch = (number: number): MatchId => matchIdOf(gameName("tennis"), number)

const START = Date.UTC(2026, 5, 1, 12)

/** Returns the events of the n-th simulated match. Its place in the schedule decides the format: 7 and 8 are doubles. */
export const simulatedTennisEvents = (n: number, matchId: MatchId, change: Partial<MatchOptions> = {}): ReadonlyArray<FeedEvent> =>
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
    const step = tennisRules.fold(before, event)
    if (step._tag === "Rejected") throw new Error(`${event.id}: ${step.rejection.message}`)
    const change = { before, after: step.state, event }
    before = step.state
    return change
  })
}
