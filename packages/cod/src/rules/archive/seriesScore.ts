/** Score of a finished series from the winners of its maps; unknown if a source lacks maps. Pure. */
import { mapsToWin } from "../live/format.ts"
import type { MapResult, Match } from "./rows.ts"

/**
 * `maps_missing`: the map numbers have gaps, or the known maps give no team the majority. `maps_contradict`: a map
 * number occurs twice, or there are maps after the one that decides the series.
 */
export const scoreGaps = ["maps_missing", "maps_contradict"] as const
export type ScoreGap = (typeof scoreGaps)[number]

export type SeriesScore = Pick<Match, "bestOf" | "scoreGap" | "team1Score" | "team2Score" | "winnerSlug">

/** Formats to choose from if a source does not state it. */
const LEAGUE_FORMATS = [5, 7] as const

/**
 * Known if the maps are those of one whole series. `bestOf` is null if the source does not state it; then it follows
 * from the score. The winner is known without the score if a team has the majority of the stated best of.
 */
export const seriesScore = (
  maps: ReadonlyArray<Pick<MapResult, "mapNumber" | "winnerSlug">>,
  bestOf: number | null,
  [team1, team2]: readonly [string, string],
): SeriesScore => {
  const ordered = maps.toSorted((one, other) => one.mapNumber - other.mapNumber)
  const won = (slug: string) => ordered.filter(({ winnerSlug }) => winnerSlug === slug).length
  const [team1Score, team2Score] = [won(team1), won(team2)]
  const [most, least] = team1Score > team2Score ? [team1Score, team2Score] : [team2Score, team1Score]
  const leader = team1Score > team2Score ? team1 : team2
  const played = most > least ? LEAGUE_FORMATS.find((one) => mapsToWin(one) === most) : undefined
  const format = bestOf ?? played ?? null
  const needed = format === null ? null : mapsToWin(format)
  const unknown = (scoreGap: ScoreGap, winnerSlug: string | null): SeriesScore => ({
    ...{ bestOf, scoreGap, winnerSlug },
    team1Score: null,
    team2Score: null,
  })

  if (new Set(ordered.map(({ mapNumber }) => mapNumber)).size < ordered.length) return unknown("maps_contradict", null)
  if (needed !== null && (most > needed || least >= needed)) return unknown("maps_contradict", null)
  const winnerSlug = most === needed ? leader : null
  if (winnerSlug !== null && ordered.at(-1)?.winnerSlug !== winnerSlug) return unknown("maps_contradict", winnerSlug)
  const isWhole = winnerSlug !== null && most + least === ordered.length && ordered.every(({ mapNumber }, index) => mapNumber === index + 1)
  // Without a stated format, three maps of a series with gaps may be too few to win it.
  if (!isWhole) return unknown("maps_missing", bestOf === null ? null : winnerSlug)
  return { bestOf: format, team1Score, team2Score, winnerSlug, scoreGap: null }
}
