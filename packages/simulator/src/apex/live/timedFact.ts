/**
 * Output of the simulator: the facts (events) of one lobby, each with the time since the first one. The real start time
 * and the speed are determined by the code that replays the lobby.
 */
import type { FeedEventOf, ReportedEvent, ReportedEventType } from "@matchpoint/domain/apex/live/feedEvents"
import type { FactId, MatchId } from "@matchpoint/domain/ids"

/** Type and payload of a fact, without its time and lobby. */
export type Happening = {
  readonly [T in ReportedEventType]: { readonly type: T; readonly payload: FeedEventOf<T>["payload"] }
}[ReportedEventType]

export type TimedFact = Happening & {
  /** Time in milliseconds since the first event of the lobby. Never decreases from one event to the next. */
  readonly offsetMs: number
  readonly matchId: MatchId
  /** Id of the fact in the form `sim:<ordinal>`. The first fact has the ordinal 1. */
  readonly factId: FactId
}

/** Converts a simulated fact to a feed event. `times` are in milliseconds since the Unix epoch. */
export const toFeedEvent = (fact: TimedFact, times: { readonly observedAt: number; readonly receivedAt: number }): ReportedEvent => {
  const { offsetMs: _, factId, matchId, ...happening } = fact
  return { id: factId, matchId, source: "main", observedAt: times.observedAt, receivedAt: times.receivedAt, ...happening }
}
