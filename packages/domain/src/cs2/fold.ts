/** One step of the match fold: judge an event, and fold it if it is accepted. */
import { decide, type Rejection } from "./decide.ts"
import { evolve } from "./evolve.ts"
import type { FeedEvent } from "./feedEvents.ts"
import type { MatchState } from "./state.ts"

export type FoldStep =
  | { readonly _tag: "Accepted"; readonly state: MatchState }
  | { readonly _tag: "Rejected"; readonly state: MatchState | undefined; readonly rejection: Rejection }

export const fold = (state: MatchState | undefined, event: FeedEvent): FoldStep => {
  const rejection = decide(state, event)
  return rejection === undefined ? { _tag: "Accepted", state: evolve(state, event) } : { _tag: "Rejected", state, rejection }
}

/** Folds many events, leaving the refused ones out. */
export const foldAll = (state: MatchState | undefined, events: Iterable<FeedEvent>): MatchState | undefined => {
  let next = state
  for (const event of events) next = fold(next, event).state
  return next
}
