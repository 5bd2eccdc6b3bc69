/**
 * The simulator's output: facts of one match, each with its time since the match's first fact. The player decides the
 * real start time and the speed.
 */
import type { FeedEvent, FeedEventOf, FeedEventType } from "@matchpoint/domain/cs2/live/feedEvents"
import { FactId, type MatchId } from "@matchpoint/domain/ids"

/** Type and payload of a fact, without its time and match. */
export type Happening = { readonly [T in FeedEventType]: { readonly type: T; readonly payload: FeedEventOf<T>["payload"] } }[FeedEventType]

export type TimedFact = Happening & {
  /** Milliseconds since the first fact. Never decreases from one fact to the next. */
  readonly offsetMs: number
  readonly matchId: MatchId
  /** Id `sim:<ordinal>`, see {@link ordinalOf}. */
  readonly factId: FactId
}

/** Returns the id of a match's n-th fact, n = 1, 2, 3, ... */
export const simulatedFactId = (ordinal: number): FactId => FactId.make(`sim:${ordinal}`)

/** Returns the ordinal of a fact from its id, or undefined for facts that the simulator did not make. */
export const ordinalOf = (factId: string): number | undefined => {
  const digits = /^sim:([1-9][0-9]{0,9})$/.exec(factId)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** Converts a fact to a feed event. Times are epoch milliseconds. */
export const toFeedEvent = (fact: TimedFact, times: { readonly observedAt: number; readonly receivedAt: number }): FeedEvent => {
  const { offsetMs: _, factId, matchId, ...happening } = fact
  return { id: factId, matchId, source: "main", observedAt: times.observedAt, receivedAt: times.receivedAt, ...happening }
}
