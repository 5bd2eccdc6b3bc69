/** States why an archived match, or all matches of a player, have no serve statistics. */
import type { Circuit, Tour } from "./archiveRows.ts"

export const statisticsGaps = ["walkover", "not_recorded_for_circuit", "before_statistics", "no_matches", "not_recorded"] as const
export type StatisticsGap = (typeof statisticsGaps)[number]

/**
 * First year with statistics in the archive. Circuits that are not listed have none. Some matches of the listed circuits
 * have none either, more of them in the WTA.
 */
const firstYears: Readonly<Record<Tour, Partial<Record<Circuit, number>>>> = {
  atp: { tour: 1991, qual_chall: 2010 },
  wta: { tour: 2003, qual_itf: 2010 },
}

export interface MatchFacts {
  readonly tour: Tour
  readonly circuit: string
  readonly year: number
  readonly isWalkover: boolean
}

export const statisticsGap = ({ circuit, isWalkover, tour, year }: MatchFacts): StatisticsGap => {
  if (isWalkover) return "walkover"
  const first = firstYears[tour][circuit as Circuit]
  if (first === undefined) return "not_recorded_for_circuit"
  return year < first ? "before_statistics" : "not_recorded"
}

/** The reason of all matches if they have the same one, otherwise that of the matches which could have had statistics. */
export const statisticsGapOf = (matches: ReadonlyArray<MatchFacts>): StatisticsGap => {
  const reasons = new Set(matches.map(statisticsGap))
  const preference = ["not_recorded", "before_statistics", "not_recorded_for_circuit", "walkover"] as const
  return preference.find((reason) => reasons.has(reason)) ?? "no_matches"
}
