/**
 * Applies one event to the state of a match if the event is valid. An event that would violate an invariant is rejected,
 * so that an inconsistent state is never published.
 */
import { decide } from "./decide.ts"
import { evolve } from "./evolve.ts"
import type { FeedEvent } from "./feedEvents.ts"
import { violationOf } from "./invariants.ts"
import { type Rejection, reject } from "./rejections.ts"
import type { MatchState } from "./state.ts"

export type FoldStep =
  | { readonly _tag: "Accepted"; readonly state: MatchState }
  | { readonly _tag: "Rejected"; readonly state: MatchState | undefined; readonly rejection: Rejection }

export const fold = (state: MatchState | undefined, event: FeedEvent): FoldStep => {
  const rejection = decide(state, event)
  if (rejection !== undefined) return { _tag: "Rejected", state, rejection }
  const next = evolve(state, event)
  const violation = violationOf(next, state)
  return violation === undefined
    ? { _tag: "Accepted", state: next }
    : { _tag: "Rejected", state, rejection: reject("invariant", violation) }
}

/** Applies several events in order and ignores those that are rejected. */
export const foldAll = (state: MatchState | undefined, events: Iterable<FeedEvent>): MatchState | undefined => {
  let next = state
  for (const event of events) next = fold(next, event).state
  return next
}
