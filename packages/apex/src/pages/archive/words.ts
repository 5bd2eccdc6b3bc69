import type { Scores, SeriesRow } from "./types.ts"

const regionNames: Readonly<Record<string, string>> = {
  global: "Global",
  americas: "Americas",
  emea: "EMEA",
  "apac-north": "APAC North",
  "apac-south": "APAC South",
}
export const regionName = (region: string) => regionNames[region] ?? region

const gaps: Readonly<Record<string, string>> = {
  not_recorded: "The source of this series does not have it.",
  not_played: "No game has been played yet.",
  contradictory_source: "The source contradicts itself here, so no value is shown.",
  images_not_licensed: "No image may be shown.",
}

/** Why a part of a series is empty. */
export const gapWords = (reasons: Scores["reasons"], field: string) => gaps[reasons[field] ?? ""] ?? "The archive does not have it."

/** Day of a series, or the first day of its tournament. */
export const dayText = ({ dateIsTournamentStart, day, startsAt }: SeriesRow["schedule"]) => {
  const known = startsAt?.slice(0, 10) ?? day
  if (known === null) return "–"
  return dateIsTournamentStart ? `from ${known}` : known
}
