/** What a feed means that shows another map than the one the match is known to be on. Pure. */
import { knownSeries } from "@matchpoint/domain/cs2/live/backupSeries"
import { SHORTEST_ROUND_MS } from "@matchpoint/domain/cs2/live/catchUp"
import { roundsToEnd } from "@matchpoint/domain/cs2/live/rules"
import { currentMap, type MatchState } from "@matchpoint/domain/cs2/live/state"

export type OtherMap =
  /** A later map of the series. */
  | { readonly _tag: "Later"; readonly mapNumber: number }
  /** The map in play was abandoned: it is played again on this one. */
  | { readonly _tag: "Instead"; readonly mapNumber: number }
  /** No map of this match: the end of the last one may have been lost. */
  | { readonly _tag: "Unrelated" }

/**
 * A map with this name, seen `at` a moment. Undefined: it is the map in play, or none is known. The map in play is over if a backup says so, or
 * if the feed was silent for as long as its remaining rounds need. Else it cannot be over, and the new one replaces it.
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

/** The number of the later map with this name that a backup told of. */
export const toldMapNamed = (state: MatchState, name: string): number | undefined => {
  const known = currentMap(state)?.number ?? 0
  return knownSeries(state).maps.findLast((map) => map.number > known && map.name === name)?.number
}

/** How far the clocks of two feeds may be apart, and the last shots of a map behind its end. */
const AFTERMATH_MS = 30_000

/** Whether the map that is known was over at a moment, as a backup told: then nothing of that moment belongs to it. */
export const wasLeftBehind = (state: MatchState, at: number): boolean => {
  if (state.backup === null) return false
  const { maps } = state.backup
  const known = currentMap(state)?.number ?? 0
  const endedAt = maps[known - 1]?.endedAt ?? maps[known]?.startedAt
  return endedAt !== undefined && at > endedAt + AFTERMATH_MS
}
