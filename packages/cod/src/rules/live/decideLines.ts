/** Checks statistics that the game reports as sums. No side effects. */
import { reject } from "@matchpoint/game/rules/rejections"
import type { ReportedLine } from "./feedEvents.ts"
import type { LiveMode } from "./format.ts"
import type { Rejection } from "./rejections.ts"
import { type MatchState, placeOf } from "./state.ts"

/** Seconds. More than the time limit, overtime included. */
const MAX_HILL_TIME = 600

export const decideLines = (state: MatchState, mode: LiveMode, lines: ReadonlyArray<ReportedLine>): Rejection | undefined => {
  for (const { hillTime, player } of lines) {
    if (placeOf(state, player) === undefined) return reject("unknown_player", `no team of the match has the player ${player}`)
    if (hillTime === undefined) continue
    if (mode !== "hardpoint") return reject("wrong_mode", `${mode} has no hill`)
    if (hillTime > MAX_HILL_TIME) return reject("impossible_statistics", `${player} cannot have been on the hill for ${hillTime} s`)
  }
  return undefined
}
