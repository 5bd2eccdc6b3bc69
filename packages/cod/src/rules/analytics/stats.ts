/**
 * Statistics of players in trends, comparisons and leaderboards: formula, unit and the smallest sample with which a
 * player is listed. The samples are about ten maps, or what a player does on about ten maps. Pure.
 *
 * - The damage of a source counts if it is stated. Kills and deaths on maps without damage do not count for it.
 * - `slaying` compares a player with all players on the same maps, so it does not depend on the modes that were played.
 * - A trade is a kill of an opponent who had killed a teammate in the last 5 seconds. Live matches and the simulation
 *   count trades and clutches, imported matches have none.
 */
import { type ClutchShares, clutchFactor, clutchShares, MINIMUM_CLUTCHES } from "./clutches.ts"
import { type Measured, quotient, rounded } from "./gaps.ts"
import type { PlayerSums, SumField } from "./playerSums.ts"

export interface Stat {
  readonly formula: string
  /** A `share` is from 0 to 1. */
  readonly unit: "ratio" | "share" | "per map" | "per 10 minutes" | "seconds per map"
  /** Unit of the sample size, such as maps. */
  readonly sampleOf: string
  readonly minimumSample: number
  readonly numerator: SumField
  readonly denominator: SumField
  /** Sums are divided by this number to get the sample, and multiplied by it to get the value. Default 1. */
  readonly per?: number
  readonly decimals: number
}

/** Seconds of the unit `per 10 minutes`. */
const TEN_MINUTES = 600

const perMap = { unit: "per map", sampleOf: "maps", minimumSample: 10, decimals: 1 } as const
const perTenMinutes = { unit: "per 10 minutes", sampleOf: "units of 10 minutes", minimumSample: 6, per: TEN_MINUTES, decimals: 1 } as const

export const stats = {
  kd: {
    formula: "kills / deaths",
    unit: "ratio",
    sampleOf: "deaths",
    minimumSample: 150,
    numerator: "kills",
    denominator: "deaths",
    decimals: 3,
  },
  kills: { ...perMap, formula: "kills / maps", numerator: "kills", denominator: "maps" },
  damage: { ...perMap, formula: "damage / maps with damage", sampleOf: "maps with damage", numerator: "damage", denominator: "damageMaps" },
  kills_per_10: {
    ...perTenMinutes,
    formula: "kills / minutes on maps with a known duration * 10",
    numerator: "timedKills",
    denominator: "seconds",
  },
  damage_per_10: {
    ...perTenMinutes,
    formula: "damage / minutes on maps with a known duration * 10",
    numerator: "timedDamage",
    denominator: "damageSeconds",
  },
  slaying: {
    formula: "kills / mean kills of all players on the same maps",
    unit: "ratio",
    sampleOf: "mean kills of all players on the same maps",
    minimumSample: 150,
    numerator: "lobbyKills",
    denominator: "lobbyMeanKills",
    decimals: 3,
  },
  hill_time: {
    formula: "seconds on the hill / maps of hardpoint",
    unit: "seconds per map",
    sampleOf: "maps of hardpoint",
    minimumSample: 5,
    numerator: "hillTime",
    denominator: "hillMaps",
    decimals: 1,
  },
  first_blood_rate: {
    formula: "first bloods / rounds of search and destroy",
    unit: "share",
    sampleOf: "rounds of search and destroy",
    minimumSample: 40,
    numerator: "roundFirstBloods",
    denominator: "rounds",
    decimals: 3,
  },
  trade_efficiency: {
    formula: "trade kills / deaths of teammates",
    unit: "share",
    sampleOf: "deaths of teammates",
    minimumSample: 300,
    numerator: "tradeKills",
    denominator: "mateDeaths",
    decimals: 3,
  },
  traded_death_rate: {
    formula: "traded deaths / deaths",
    unit: "share",
    sampleOf: "deaths",
    minimumSample: 100,
    numerator: "tradedDeaths",
    denominator: "tradeDeaths",
    decimals: 3,
  },
} as const satisfies Readonly<Record<string, Stat>>

/** Statistics that a series of matches can have. */
export const trendStats = Object.keys(stats) as ReadonlyArray<keyof typeof stats>
export type TrendStat = (typeof trendStats)[number]

export const boardStats: ReadonlyArray<BoardStat> = ["clutch_factor", ...trendStats]
export type BoardStat = TrendStat | "clutch_factor"

/** Sums that `measure` reads for these statistics. */
export const sumsFor = (...names: ReadonlyArray<TrendStat>): ReadonlyArray<SumField> => [
  ...new Set(["maps" as const, ...names.flatMap((name) => [stats[name].numerator, stats[name].denominator])]),
]

export const definitionOf = (stat: BoardStat): Pick<Stat, "formula" | "minimumSample" | "sampleOf" | "unit"> =>
  stat === "clutch_factor"
    ? {
        formula: "clutches won / clutches that an average player would have won in the same situations",
        unit: "ratio",
        sampleOf: "clutches",
        minimumSample: MINIMUM_CLUTCHES,
      }
    : stats[stat]

/** By default the sample may be smaller than the minimum, but not zero. */
export const measure = (stat: TrendStat, sums: PlayerSums, minimumSample = 0): Measured => {
  const { decimals, denominator, numerator, per = 1 }: Stat = stats[stat]
  return quotient({
    numerator: sums[numerator],
    denominator: sums[denominator] / per,
    sample: rounded(sums[denominator] / per, 1),
    minimumSample,
    decimals,
    isRecorded: sums[denominator] > 0,
    maps: sums.maps,
  })
}

/** Statistic as leaderboards list it. `shares` are those of all players. */
export const measureForBoard = (stat: BoardStat, sums: PlayerSums, shares: ClutchShares): Measured =>
  stat === "clutch_factor" ? clutchFactor(sums, shares) : measure(stat, sums, stats[stat].minimumSample)

export interface BoardPlace {
  readonly playerId: string
  readonly value: number
  readonly sample: number
  /** From 1. Players with equal values have the same rank. */
  readonly rank: number
}

/** Best value first, then the larger sample. */
export const boardOf = (
  stat: BoardStat,
  players: ReadonlyMap<string, PlayerSums>,
  shares = clutchShares([...players.values()]),
): ReadonlyArray<BoardPlace> => {
  const listed = [...players]
    .flatMap(([playerId, sums]) => {
      const { sample, value } = measureForBoard(stat, sums, shares)
      return value === null ? [] : [{ playerId, value, sample }]
    })
    .sort((one, other) => other.value - one.value || other.sample - one.sample || (one.playerId < other.playerId ? -1 : 1))
  let rank = 0
  return listed.map((place, index) => {
    if (listed[index - 1]?.value !== place.value) rank = index + 1
    return { ...place, rank }
  })
}
