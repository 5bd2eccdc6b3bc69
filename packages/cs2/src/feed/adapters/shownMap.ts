/**
 * What it means if a feed shows another map than the current one: it comes later in the series, replaces the current
 * map, or is unrelated.
 */
import { knownSeries } from "../../rules/live/backupSeries.ts"
import { SHORTEST_ROUND_MS } from "../../rules/live/catchUp.ts"
import { roundsToEnd } from "../../rules/live/rules.ts"
import { currentMap, type MatchState } from "../../rules/live/state.ts"

export type OtherMap =
  | { readonly _tag: "Later"; readonly mapNumber: number }
  /** The current map was abandoned. */
  | { readonly _tag: "Instead"; readonly mapNumber: number }
  /** The map does not belong to this match, or the feed lacks the end of the current map. */
  | { readonly _tag: "Unrelated" }

/**
 * Decides whether the map `name`, reported at the time `at`, comes after the current map or corrects it. Undefined if
 * the match has no current map or if `name` is the current map. It comes after if the current map may be over: a backup
 * feed has reported the end, or the feed was silent for long enough to play the remaining rounds. Otherwise the name of
 * the current map was wrong.
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

/** Number of the map in the series, if a backup feed has reported it after the current map. */
export const reportedMapNamed = (state: MatchState, name: string): number | undefined => {
  const known = currentMap(state)?.number ?? 0
  return knownSeries(state).maps.findLast((map) => map.number > known && map.name === name)?.number
}

/** Milliseconds after the end of a map: allows for late events and for differences between the clocks of two feeds. */
const AFTERMATH_MS = 30_000

/** A backup feed reported that the map was already over at the time `at`: events of that time do not belong to it. */
export const wasLeftBehind = (state: MatchState, at: number): boolean => {
  if (state.backup === null) return false
  const { maps } = state.backup
  const known = currentMap(state)?.number ?? 0
  const endedAt = maps[known - 1]?.endedAt ?? maps[known]?.startedAt
  return endedAt !== undefined && at > endedAt + AFTERMATH_MS
}
