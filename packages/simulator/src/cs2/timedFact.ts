/**
 * Output of the simulator: the facts (events) of one match, each with the time since the first one. The real start time
 * and the speed are determined by the code that replays the match.
 */
import type { FeedEvent, FeedEventOf, FeedEventType } from "@matchpoint/domain/cs2/live/feedEvents"
import type { FactId, MatchId } from "@matchpoint/domain/ids"

/** Type and payload of a fact (an event of a match), without the time and the match id. */
export type Happening = { readonly [T in FeedEventType]: { readonly type: T; readonly payload: FeedEventOf<T>["payload"] } }[FeedEventType]

export type TimedFact = Happening & {
  /** Time in milliseconds since the first event of the match. Never decreases from one event to the next. */
  readonly offsetMs: number
  readonly matchId: MatchId
  /** Id of the fact (event) in the form `sim:<ordinal>`; see `simulatedFactId.ts`. */
  readonly factId: FactId
}

/**
 * Converts a simulated fact to a feed event, that is, to the form in which live data feeds report events. `times`
 * contains the times at which the event was observed and received, in milliseconds since the Unix epoch.
 */
export const toFeedEvent = (fact: TimedFact, times: { readonly observedAt: number; readonly receivedAt: number }): FeedEvent => {
  const { offsetMs: _, factId, matchId, ...happening } = fact
  return { id: factId, matchId, source: "main", observedAt: times.observedAt, receivedAt: times.receivedAt, ...happening }
}
