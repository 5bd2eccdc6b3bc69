/** Leaderboards of a season by mode. */
import { type GameMode, gameModes } from "./modes.ts"

/** `overall` counts all modes. */
export const boardModes = ["overall", ...gameModes] as const
export type BoardMode = "overall" | GameMode

export const boardStats = ["kills", "kd", "damage", "hillTime", "firstBloods"] as const
export type BoardStat = (typeof boardStats)[number]

/** Statistic of a request that names none. */
export const USUAL_STAT: BoardStat = "kd"

/** Players with fewer maps are not listed by `kd`, because a ratio of one or two maps says little. */
export const MINIMUM_MAPS = 3

const everyMode: ReadonlyArray<BoardStat> = ["kills", "kd", "damage"]

const statsByMode: Readonly<Record<BoardMode, ReadonlyArray<BoardStat>>> = {
  overall: boardStats,
  hardpoint: [...everyMode, "hillTime"],
  snd: [...everyMode, "firstBloods"],
  control: everyMode,
  overload: everyMode,
}

/** Hills exist in hardpoint only, first bloods in search and destroy only. */
export const statsOf = (mode: BoardMode): ReadonlyArray<BoardStat> => statsByMode[mode]

export const statMeanings: Readonly<Record<BoardStat, string>> = {
  kills: "kills",
  kd: `kills / deaths, of players with at least ${MINIMUM_MAPS} maps`,
  damage: "damage to opponents",
  hillTime: "seconds on the hill",
  firstBloods: "rounds of search and destroy with the first kill",
}
