/**
 * Output of the simulator: the facts (events) of one match, each with its offset from the first fact. The code that
 * plays the match back decides its real start time and speed.
 */
import type { FeedEvent, FeedEventOf, FeedEventType } from "@matchpoint/domain/cs2/live/feedEvents"
import { FactId, type MatchId } from "@matchpoint/domain/ids"

/** Type and payload of a fact (an event of a match), without its time and match. */
export type Happening = { readonly [T in FeedEventType]: { readonly type: T; readonly payload: FeedEventOf<T>["payload"] } }[FeedEventType]

export type TimedFact = Happening & {
  /** Time in milliseconds since the first fact of the match. Never decreases from one fact to the next. */
  readonly offsetMs: number
  readonly matchId: MatchId
  /** Id of the fact in the form `sim:<ordinal>`; see {@link ordinalOf}. */
  readonly factId: FactId
}

/** Returns the id of the n-th fact of a match. The first fact has the ordinal 1. */
export const simulatedFactId = (ordinal: number): FactId => FactId.make(`sim:${ordinal}`)

/** Returns the ordinal of a fact from its id, or undefined for facts that the simulator did not make. */
export const ordinalOf = (factId: string): number | undefined => {
  const digits = /^sim:([1-9][0-9]{0,9})$/.exec(factId)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** Converts a fact to a feed event. `times` is in milliseconds since the Unix epoch. */
export const toFeedEvent = (fact: TimedFact, times: { readonly observedAt: number; readonly receivedAt: number }): FeedEvent => {
  const { offsetMs: _, factId, matchId, ...happening } = fact
  return { id: factId, matchId, source: "main", observedAt: times.observedAt, receivedAt: times.receivedAt, ...happening }
}
