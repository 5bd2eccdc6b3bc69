import type { PlayerMapLine } from "./rows.ts"

/** Rounded to three decimals. Without a death it is the number of kills. Null if kills or deaths are unknown. */
export const killsPerDeath = (kills: number | null, deaths: number | null): number | null =>
  kills === null || deaths === null ? null : Math.round((kills / Math.max(1, deaths)) * 1_000) / 1_000

/** Kills plus deaths: fights that ended with one of them. Null if one is unknown. */
export const engagementsOf = ({ deaths, kills }: Pick<PlayerMapLine, "deaths" | "kills">): number | null =>
  kills === null || deaths === null ? null : kills + deaths

/** Null if no line has a value. */
const summed = ["kills", "deaths", "assists", "damage", "hillTime", "firstBloods", "plants", "defuses"] as const

export interface PlayerTotals extends Readonly<Record<(typeof summed)[number], number | null>> {
  /** Maps with a line. */
  readonly mapsPlayed: number
  /** Highest streak of a map. */
  readonly highestStreak: number | null
  /** Mean of the ratings of the maps, each map with the same weight, rounded to two decimals. */
  readonly rating: number | null
}

const known = (values: ReadonlyArray<number | null>): ReadonlyArray<number> => values.filter((value) => value !== null)

const sumOf = (values: ReadonlyArray<number>): number | null => (values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0))

type SummedLine = Pick<PlayerMapLine, (typeof summed)[number] | "highestStreak" | "rating">

/** All lines are those of one player. */
export const totalsOf = (lines: ReadonlyArray<SummedLine>): PlayerTotals => {
  const sums = Object.fromEntries(summed.map((name) => [name, sumOf(known(lines.map((line) => line[name])))])) as Record<
    (typeof summed)[number],
    number | null
  >
  const streaks = known(lines.map(({ highestStreak }) => highestStreak))
  const ratings = known(lines.map(({ rating }) => rating))
  const ratingSum = sumOf(ratings)
  return {
    ...sums,
    mapsPlayed: lines.length,
    highestStreak: streaks.length === 0 ? null : Math.max(...streaks),
    rating: ratingSum === null ? null : Math.round((ratingSum / ratings.length) * 100) / 100,
  }
}
