/**
 * Sums of a player over any number of maps, from which all analytics of players are computed. Each statistic has its own
 * denominator, because sources count different statistics. Pure.
 */

export const sumFields = [
  /** Maps with kills. */
  "maps",
  "kills",
  "deaths",
  /** Maps with damage, and the damage on them. */
  "damageMaps",
  "damage",
  /** Seconds of the maps with a known duration, and the kills on them. */
  "seconds",
  "timedKills",
  /** Seconds of the maps with a known duration and damage, and the damage on them. */
  "damageSeconds",
  "timedDamage",
  /** Kills on maps with a line of each player, and the mean kills of a player on these maps. */
  "lobbyKills",
  "lobbyMeanKills",
  /** Maps of hardpoint with hill time, and the seconds on the hill. */
  "hillMaps",
  "hillTime",
  /** Maps of search and destroy with first bloods, and the first bloods. */
  "firstBloodMaps",
  "firstBloods",
  /** Rounds of search and destroy with first bloods, and the first bloods in them. Some sources state no rounds. */
  "rounds",
  "roundFirstBloods",
  /** Deaths on maps with traded deaths, and the traded ones. */
  "tradeDeaths",
  "tradedDeaths",
  /** Deaths of teammates on maps with trade kills, and the player's trade kills. */
  "mateDeaths",
  "tradeKills",
  /** Maps with clutches, and the clutches by number of opponents. */
  "clutchMaps",
  "clutch1v1Attempts",
  "clutch1v1Wins",
  "clutch1v2Attempts",
  "clutch1v2Wins",
  "clutch1v3Attempts",
  "clutch1v3Wins",
] as const

export type SumField = (typeof sumFields)[number]
export type PlayerSums = Readonly<Record<SumField, number>>

export const noSums: PlayerSums = Object.fromEntries(sumFields.map((field) => [field, 0])) as PlayerSums

export const addSums = (all: ReadonlyArray<PlayerSums>): PlayerSums => {
  const total: Record<SumField, number> = { ...noSums }
  for (const sums of all) for (const field of sumFields) total[field] += sums[field]
  return total
}
