/**
 * Simulates both tours from a seed, up to a given day: invented players, two seasons of tournaments, the last of which
 * is in progress, and weekly rankings. The same seed and day always give the same tours. An additional season before
 * them is played but not reported, so that the first ranking list has the points of a year. No side effects.
 */
import { childSeed } from "@matchpoint/simulator/random"
import type { Tour } from "../../rules/archive/archiveRows.ts"
import { type ArchiveLines, matchLines, playerLines, rankingLines } from "./archiveLines.ts"
import { competitionOf } from "./competitions.ts"
import { rankingOf } from "./rankingPoints.ts"
import { type PlayedTournament, playTournament } from "./tournament.ts"
import { tourPlayers } from "./tourPlayers.ts"

const DAY = 86_400_000
const WEEK = 7 * DAY
const FORTNIGHT = 2 * WEEK
/** 5 January 1970. */
const FIRST_MONDAY = 4 * DAY

/** Weeks of a season. A tournament of each tour starts in every second week. */
const SEASON = 52

export interface TourOptions {
  readonly seed: number
  /** The present, in milliseconds since the Unix epoch. */
  readonly now: number
  /** Reported seasons, default 2. */
  readonly seasons?: number
}

/** First the players; then, by fortnight and tour, two ranking lists and the matches of the tournament that starts. */
export function* simulateTour({ now, seasons = 2, seed }: TourOptions): Generator<ArchiveLines> {
  const today = Math.floor(now / DAY) * DAY
  const monday = Math.floor((today - FIRST_MONDAY) / WEEK) * WEEK + FIRST_MONDAY
  const tours = tourNames.map((tour, index) => ({
    tour,
    seed: childSeed(seed, index),
    players: tourPlayers(seed, tour),
    results: [] as PlayedTournament[],
  }))
  for (const { players, tour } of tours) yield playerLines(tour, players)
  const fortnights = ((seasons + 1) * SEASON) / 2
  for (let left = fortnights - 1; left >= 0; left -= 1) {
    const startsAt = monday - left * FORTNIGHT
    const isReported = left < fortnights - SEASON / 2
    for (const { players, results, seed: tourSeed, tour } of tours) {
      const ranking = rankingOf(players, results, startsAt)
      const { competition, tournamentId } = editionOf(tour, startsAt)
      const played = playTournament({
        seed: childSeed(tourSeed, startsAt / DAY),
        competition,
        tournamentId,
        startsAt,
        today,
        ranking,
      })
      if (isReported) {
        yield rankingLines(tour, startsAt, ranking)
        if (left > 0) yield rankingLines(tour, startsAt + WEEK, rankingOf(players, [...results, played], startsAt + WEEK))
        yield matchLines(tour, played.matches)
      }
      results.push(played)
    }
  }
}

const tourNames: ReadonlyArray<Tour> = ["atp", "wta"]

/** The competition of the fortnight of the year in which a day is, and the id of its edition. */
const editionOf = (tour: Tour, startsAt: number) => {
  const year = new Date(startsAt).getUTCFullYear()
  const competition = competitionOf(tour, Math.floor((startsAt - Date.UTC(year, 0, 1)) / FORTNIGHT))
  return { competition, tournamentId: `${year}-${competition.code}` }
}
