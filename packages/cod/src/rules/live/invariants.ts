/**
 * Properties that every state of a match has, regardless of what its feeds report. An event whose result would violate
 * one of them is rejected. No side effects.
 *
 * - Maps before the newest one that has started are over. At most one map is in progress, and it is `current`.
 * - `mapsWon` is the number of maps that each side has won. A completed match by score has the maps that win it.
 * - No score is above the target of its mode.
 * - On the map in progress, the kills of a side are at most the deaths of the other side.
 */
import { mapsToWin, otherSide, targetOf } from "./format.ts"
import type { LiveLine } from "./lines.ts"
import type { CurrentMap, MatchState } from "./state.ts"

/** First violation, or undefined. `before` skips parts that are unchanged. */
export const violationOf = (state: MatchState, before?: MatchState): string | undefined => {
  const { current, maps, winner } = state
  if (current !== null && state.status !== "live") return "a map is in progress only while the match is live"
  if (state.status === "completed") {
    if (winner === null || state.endReason === null) return "a completed match has a winner"
    if (state.endReason === "completed" && state.mapsWon[winner] !== mapsToWin(state.bestOf)) return "the winner lacks a map"
  }
  if (current !== null && current.lines !== before?.current?.lines) {
    const violation = killsOf(current)
    if (violation !== undefined) return violation
  }
  if (maps === before?.maps) return undefined
  const won: [number, number] = [0, 0]
  for (const [index, map] of maps.entries()) {
    if (Math.max(...map.scores) > targetOf[map.mode]) return `map ${index + 1} cannot stand at ${map.scores.join("-")}`
    if ((map.status === "live") !== (current?.map === index + 1)) return `map ${index + 1} is not the map in progress`
    if (map.status !== "upcoming" && maps[index - 1]?.status === "upcoming") return `map ${index + 1} was not preceded by map ${index}`
    if (map.winner !== null) won[map.winner] += 1
  }
  return won[0] === state.mapsWon[0] && won[1] === state.mapsWon[1]
    ? undefined
    : `the maps won are ${won.join("-")}, not ${state.mapsWon.join("-")}`
}

const killsOf = ({ lines }: CurrentMap): string | undefined => {
  for (const side of [0, 1] as const) {
    const kills = sum(lines[side], "kills")
    const deaths = sum(lines[otherSide(side)], "deaths")
    if (kills > deaths) return `a side has ${kills} kills, but the other side has ${deaths} deaths`
  }
  return undefined
}

const sum = (lines: ReadonlyArray<LiveLine>, field: "kills" | "deaths"): number => {
  let total = 0
  for (const line of lines) total += line[field]
  return total
}
