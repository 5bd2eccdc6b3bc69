/**
 * Statistics of a player on a map. After the map, arrays in the order of `lineFields`: a checkpoint has all of them.
 */
import { Schema } from "effect"

/** Named as in the archive. */
export const lineFields = [
  "kills",
  "deaths",
  "assists",
  "damage",
  "hillTime",
  "firstBloods",
  "firstDeaths",
  "plants",
  "defuses",
  "captures",
  "highestStreak",
  "tradeKills",
  "tradedDeaths",
  "clutch1v1Attempts",
  "clutch1v1Wins",
  "clutch1v2Attempts",
  "clutch1v2Wins",
  "clutch1v3Attempts",
  "clutch1v3Wins",
] as const
export type LineField = (typeof lineFields)[number]

/** `damage` is null until a feed reports it. `hillTime` is in seconds. */
export type PlayerLine = { readonly [Field in LineField]: Field extends "damage" ? number | null : number }

export type LiveLine = PlayerLine & {
  /** Kills since the last death. */
  readonly streak: number
}

/** Values in the order of `lineFields`. Empty if the player did not play the map. */
export const PackedLine = Schema.Array(Schema.NullOr(Schema.Natural))
export type PackedLine = typeof PackedLine.Type

export const emptyLine: LiveLine = {
  kills: 0,
  deaths: 0,
  assists: 0,
  damage: null,
  hillTime: 0,
  firstBloods: 0,
  firstDeaths: 0,
  plants: 0,
  defuses: 0,
  captures: 0,
  highestStreak: 0,
  tradeKills: 0,
  tradedDeaths: 0,
  clutch1v1Attempts: 0,
  clutch1v1Wins: 0,
  clutch1v2Attempts: 0,
  clutch1v2Wins: 0,
  clutch1v3Attempts: 0,
  clutch1v3Wins: 0,
  streak: 0,
}

/** A value is above 0. A player without any value may have played: 0 kills and 0 deaths are possible. */
export const hasValue = (line: PlayerLine): boolean => lineFields.some((field) => (line[field] ?? 0) > 0)

export const packLine = (line: PlayerLine): PackedLine => lineFields.map((field) => line[field])

export const unpackLine = (packed: PackedLine): PlayerLine => {
  const line: Record<string, number | null> = {}
  for (const [index, field] of lineFields.entries()) line[field] = packed[index] ?? (field === "damage" ? null : 0)
  return line as PlayerLine
}

/** The damage is null if no map has it. The highest streak is that of one map. */
export const sumOfLines = (lines: ReadonlyArray<PlayerLine>): PlayerLine => {
  const sum: Record<LineField, number | null> = { ...emptyLine }
  for (const line of lines) {
    for (const field of lineFields) {
      const [before, value] = [sum[field], line[field]]
      if (field === "highestStreak") sum[field] = Math.max(before ?? 0, value ?? 0)
      else if (value !== null) sum[field] = (before ?? 0) + value
    }
  }
  return sum as PlayerLine
}
