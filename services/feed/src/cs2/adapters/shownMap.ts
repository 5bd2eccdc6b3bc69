/** Which map of the series a feed shows, where it is past the one that the match is known to be on. Pure. */
import { knownSeries } from "@matchpoint/domain/cs2/backupSeries"
import { currentMap, type MatchState } from "@matchpoint/domain/cs2/state"

/**
 * The number of the later map with this name: one that a backup told of, else the next where what is known of the present one may
 * have been all of it. Undefined: the feed shows the map that is known, or no other may follow.
 */
export const laterMapNamed = (state: MatchState, name: string): number | undefined => {
  const map = currentMap(state)
  if (map === undefined || map.name === name) return undefined
  const mayBeOver = map.number < state.bestOf && (map.status === "completed" || map.roundsPlayed > 0)
  return toldMapNamed(state, name) ?? (mayBeOver ? map.number + 1 : undefined)
}

/** As {@link laterMapNamed}, of the maps that a backup told of only. */
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
