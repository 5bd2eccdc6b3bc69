/**
 * Applies an event to the state of a match if it is valid. An event that would violate an invariant of the scoreboard
 * is rejected, so that an inconsistent state is never published.
 */
import { decide, type Rejection } from "./decide.ts"
import { evolve } from "./evolve.ts"
import type { FeedEvent } from "./feedEvents.ts"
import { violationOf } from "./invariants.ts"
import { isBehind } from "./scores.ts"
import { currentMap, type MatchState } from "./state.ts"

export type FoldStep =
  | { readonly _tag: "Accepted"; readonly state: MatchState; readonly repaired?: Repair }
  | { readonly _tag: "Rejected"; readonly state: MatchState | undefined; readonly rejection: Rejection }

/** Part of the state that an event corrected because it contradicted the feed's score: the map's score, or the sides. */
export type Repair = "score" | "sides"

export const fold = (state: MatchState | undefined, event: FeedEvent): FoldStep => {
  const rejection = decide(state, event)
  if (rejection !== undefined) return { _tag: "Rejected", state, rejection }
  const next = evolve(state, event)
  const violation = violationOf(next, state)
  // An event is not rejected if the state before already violates an invariant: an earlier version of the service may
  // have written it, and its match must be able to continue.
  if (violation !== undefined && (state === undefined || violationOf(state) === undefined)) {
    return { _tag: "Rejected", state, rejection: { code: "invariant", message: `${violation.invariant}: ${violation.message}` } }
  }
  const repaired = state === undefined ? undefined : repairOf(state, next, event)
  return repaired === undefined ? { _tag: "Accepted", state: next } : { _tag: "Accepted", state: next, repaired }
}

const repairOf = (before: MatchState, after: MatchState, { type }: FeedEvent): Repair | undefined => {
  if (before.maps === after.maps || type === "MapRestarted") return undefined
  const map = currentMap(before)
  const now = map === undefined ? undefined : after.maps[map.number - 1]
  if (map !== undefined && now !== undefined && map !== now && hasFallen(map.rounds, now.rounds, map.score, now.score)) return "score"
  return type === "RoundEnded" && before.round?.number === after.round?.number && before.round?.ctTeam !== after.round?.ctTeam
    ? "sides"
    : undefined
}

type Rounds = MatchState["maps"][number]["rounds"]

/** A team has won fewer rounds than before, or a recorded round now counts for the other team. */
const hasFallen = (before: Rounds, after: Rounds, score: readonly [number, number], now: readonly [number, number]): boolean =>
  isBehind(now, score) || (before.length > 0 && before[before.length - 1] !== after[before.length - 1])

/** Rejected events are ignored. */
export const foldAll = (state: MatchState | undefined, events: Iterable<FeedEvent>): MatchState | undefined => {
  let next = state
  for (const event of events) next = fold(next, event).state
  return next
}
