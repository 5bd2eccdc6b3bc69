/**
 * Applies one event to the state of a lobby if the event is valid. An event that would violate an invariant is rejected,
 * so that an inconsistent state is never published.
 */
import { decide } from "./decide.ts"
import { evolve } from "./evolve.ts"
import type { FeedEvent } from "./feedEvents.ts"
import { violationOf } from "./invariants.ts"
import type { Rejection } from "./rejections.ts"
import type { LobbyState } from "./state.ts"

export type FoldStep =
  | { readonly _tag: "Accepted"; readonly state: LobbyState }
  | { readonly _tag: "Rejected"; readonly state: LobbyState | undefined; readonly rejection: Rejection }

export const fold = (state: LobbyState | undefined, event: FeedEvent): FoldStep => {
  const rejection = decide(state, event)
  if (rejection !== undefined) return { _tag: "Rejected", state, rejection }
  const next = evolve(state, event)
  const violation = violationOf(next, state)
  return violation === undefined
    ? { _tag: "Accepted", state: next }
    : { _tag: "Rejected", state, rejection: { code: "invariant", message: violation } }
}
