/**
 * If a feed shows a map other than the current map of the match, determines what this means: the map comes later in the
 * series, it replaces the current map, or it is unrelated. Has no side effects.
 */
import { knownSeries } from "../../rules/live/backupSeries.ts"
import { SHORTEST_ROUND_MS } from "../../rules/live/catchUp.ts"
import { roundsToEnd } from "../../rules/live/rules.ts"
import { currentMap, type MatchState } from "../../rules/live/state.ts"

export type OtherMap =
  /** The map in the feed comes later in the series. */
  | { readonly _tag: "Later"; readonly mapNumber: number }
  /** The map in the feed replaces the current one, which was abandoned. */
  | { readonly _tag: "Instead"; readonly mapNumber: number }
  /** The map in the feed does not belong to this match, or the feed lacks the end of the current map. */
  | { readonly _tag: "Unrelated" }

/**
 * Decides whether the map `name`, which a feed reported at the time `at`, comes after the current map or corrects it.
 * Returns undefined if the match has no current map or if `name` is the current map. If the current map may be over,
 * `name` comes after it: a backup feed has reported the end, or the feed was silent for long enough to play the remaining
 * rounds. Otherwise the name of the current map was wrong, and `name` replaces it.
 */
export const otherMapNamed = (state: MatchState, name: string, at: number): OtherMap | undefined => {
  const map = currentMap(state)
  if (map === undefined || map.name === name) return undefined
  const reported = reportedMapNamed(state, name)
  if (reported !== undefined) return { _tag: "Later", mapNumber: reported }
  const silence = at - state.observedAt
  const isOver = map.status === "completed" || (map.roundsPlayed > 0 && silence >= roundsToEnd(map.score, state.rules) * SHORTEST_ROUND_MS)
  if (!isOver) return { _tag: "Instead", mapNumber: map.number }
  return map.number < state.bestOf ? { _tag: "Later", mapNumber: map.number + 1 } : { _tag: "Unrelated" }
}

/**
 * Looks up a map name among the maps that a backup feed has reported to come after the current map. Returns the number
 * of that map in the series, or undefined if there is none.
 */
export const reportedMapNamed = (state: MatchState, name: string): number | undefined => {
  const known = currentMap(state)?.number ?? 0
  return knownSeries(state).maps.findLast((map) => map.number > known && map.name === name)?.number
}

/**
 * How long after the end of a map its events are still accepted, in milliseconds. The delay allows for late events and
 * for differences between the clocks of two feeds.
 */
const AFTERMATH_MS = 30_000

/**
 * Returns true if, according to a backup feed, the current map was already over at the time `at`. Events with that time
 * then do not belong to the map.
 */
export const wasLeftBehind = (state: MatchState, at: number): boolean => {
  if (state.backup === null) return false
  const { maps } = state.backup
  const known = currentMap(state)?.number ?? 0
  const endedAt = maps[known - 1]?.endedAt ?? maps[known]?.startedAt
  return endedAt !== undefined && at > endedAt + AFTERMATH_MS
}
