/**
 * What the simulator yields: the facts of one match with the time each happens, counted from the match's first fact. Where in
 * real time that is, and how fast it passes, is the player's business.
 */
import type { FeedEvent, FeedEventOf, FeedEventType } from "@matchpoint/domain/cs2/live/feedEvents"
import { FactId, type MatchId } from "@matchpoint/domain/ids"

/** What happened, without when and where. */
export type Happening = { readonly [T in FeedEventType]: { readonly type: T; readonly payload: FeedEventOf<T>["payload"] } }[FeedEventType]

export type TimedFact = Happening & {
  /** Milliseconds since the first fact; never less than the fact before. */
  readonly offsetMs: number
  readonly matchId: MatchId
  /** `sim:<ordinal>`, see {@link ordinalOf}. */
  readonly factId: FactId
}

/** The id of a match's n-th fact, n = 1, 2, 3, ... */
export const simulatedFactId = (ordinal: number): FactId => FactId.make(`sim:${ordinal}`)

/** Which of its match's facts an id belongs to; undefined for facts the simulator did not make. */
export const ordinalOf = (factId: string): number | undefined => {
  const digits = /^sim:([1-9][0-9]{0,9})$/.exec(factId)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** The fact as a feed event. Times are epoch milliseconds. */
export const toFeedEvent = (fact: TimedFact, times: { readonly observedAt: number; readonly receivedAt: number }): FeedEvent => {
  const { offsetMs: _, factId, matchId, ...happening } = fact
  return { id: factId, matchId, source: "main", observedAt: times.observedAt, receivedAt: times.receivedAt, ...happening }
}
