/** Decides what it means if a feed shows a different map than the current one. Pure. */
import { knownSeries } from "@matchpoint/domain/cs2/live/backupSeries"
import { SHORTEST_ROUND_MS } from "@matchpoint/domain/cs2/live/catchUp"
import { roundsToEnd } from "@matchpoint/domain/cs2/live/rules"
import { currentMap, type MatchState } from "@matchpoint/domain/cs2/live/state"

export type OtherMap =
  /** A later map of the series. */
  | { readonly _tag: "Later"; readonly mapNumber: number }
  /** The current map was abandoned and is played again on this map. */
  | { readonly _tag: "Instead"; readonly mapNumber: number }
  /** Not a map of this match. The end of the last map may be missing. */
  | { readonly _tag: "Unrelated" }

/**
 * Classifies a map by its name, as shown at the time `at`. Returns undefined if it is the current map or there is none.
 * The current map counts as over if a backup feed says so, or if the feed was silent for as long as the remaining
 * rounds need. Otherwise it cannot be over, and the new map replaces it.
 */
export const otherMapNamed = (state: MatchState, name: string, at: number): OtherMap | undefined => {
  const map = currentMap(state)
  if (map === undefined || map.name === name) return undefined
  const told = toldMapNamed(state, name)
  if (told !== undefined) return { _tag: "Later", mapNumber: told }
  const silence = at - state.observedAt
  const isOver = map.status === "completed" || (map.roundsPlayed > 0 && silence >= roundsToEnd(map.score, state.rules) * SHORTEST_ROUND_MS)
  if (!isOver) return { _tag: "Instead", mapNumber: map.number }
  return map.number < state.bestOf ? { _tag: "Later", mapNumber: map.number + 1 } : { _tag: "Unrelated" }
}

/** Returns the number of the later map with this name that a backup feed has reported. */
export const toldMapNamed = (state: MatchState, name: string): number | undefined => {
  const known = currentMap(state)?.number ?? 0
  return knownSeries(state).maps.findLast((map) => map.number > known && map.name === name)?.number
}

/** Tolerance after the end of a map, for differences between the clocks of two feeds and for late events. */
const AFTERMATH_MS = 30_000

/**
 * Returns true if a backup feed has reported that the current map was over at that time. Later facts then do not belong
 * to it.
 */
export const wasLeftBehind = (state: MatchState, at: number): boolean => {
  if (state.backup === null) return false
  const { maps } = state.backup
  const known = currentMap(state)?.number ?? 0
  const endedAt = maps[known - 1]?.endedAt ?? maps[known]?.startedAt
  return endedAt !== undefined && at > endedAt + AFTERMATH_MS
}
