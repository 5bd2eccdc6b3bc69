/** Simulated data as lines of archive files, so that they are read like those of a real archive. Pure. */
import type { Tour } from "../../rules/archive/archiveRows.ts"
import { singlesColumns } from "../../rules/archive/columns.ts"
import type { Competition } from "./competitions.ts"
import type { Entrant } from "./draw.ts"
import type { PlayedMatch, ServeCounts } from "./matchPlay.ts"
import type { RankingRow } from "./rankingPoints.ts"
import type { TourPlayer } from "./tourPlayers.ts"

/** A header and one line per row. */
export interface ArchiveLines {
  readonly kind: "players" | "matches" | "rankings"
  readonly tour: Tour
  readonly header: string
  readonly lines: ReadonlyArray<string>
}

type Values = Readonly<Record<string, string | number | null | undefined>>

const YEAR = 365.25 * 86_400_000

const playerColumns = ["player_id", "name_first", "name_last", "hand", "dob", "ioc", "height"]

export const playerLines = (tour: Tour, players: ReadonlyArray<TourPlayer>): ArchiveLines => ({
  kind: "players",
  tour,
  header: playerColumns.join(","),
  lines: players.map(({ birthDate, country, firstName, hand, heightCm, lastName, number }) =>
    [number, firstName, lastName, hand, birthDate.replaceAll("-", ""), country, heightCm].join(","),
  ),
})

export const rankingLines = (tour: Tour, monday: number, rows: ReadonlyArray<RankingRow>): ArchiveLines => ({
  kind: "rankings",
  tour,
  header: "ranking_date,rank,player,points,tours",
  lines: rows.map(({ player, points, rank, tournaments }) => [dayOf(monday), rank, player.number, points, tournaments].join(",")),
})

/** Side before the match is played. */
export interface MatchSide {
  readonly entrant: Entrant
  readonly rank: number
  readonly points: number
}

export interface SimulatedMatch {
  readonly competition: Competition
  readonly tournamentId: string
  /** Milliseconds since the Unix epoch. */
  readonly day: number
  /** Number in the tournament, in the order of the draw. */
  readonly number: number
  readonly round: string
  readonly sides: readonly [MatchSide, MatchSide]
  readonly played: PlayedMatch
  /** `null` for a walkover. */
  readonly minutes: number | null
}

const matchColumns = ["tourney_date", "score", ...singlesColumns.map(({ from }) => from)]

export const matchLines = (tour: Tour, matches: ReadonlyArray<SimulatedMatch>): ArchiveLines => ({
  kind: "matches",
  tour,
  header: matchColumns.join(","),
  lines: matches.map((match) => {
    const values = matchValues(match)
    return matchColumns.map((column) => values[column] ?? "").join(",")
  }),
})

const matchValues = ({ competition, day, minutes, number, played, round, sides, tournamentId }: SimulatedMatch): Values => {
  const [winner, loser] = played.winner === 0 ? sides : [sides[1], sides[0]]
  const loserSide = played.winner === 0 ? 1 : 0
  return {
    tourney_id: tournamentId,
    tourney_name: competition.name,
    surface: competition.surface,
    draw_size: competition.shape.size,
    tourney_level: competition.level,
    tourney_date: dayOf(day),
    match_num: number,
    round,
    best_of: competition.bestOf,
    minutes,
    score: scoreText(played),
    ...sideValues("winner", winner, day),
    ...sideValues("loser", loser, day),
    ...(played.ending === "walkover"
      ? {}
      : { ...serveValues("w", played.serve[played.winner]), ...serveValues("l", played.serve[loserSide]) }),
  }
}

const sideValues = (side: "winner" | "loser", { entrant: { entry, player, seed }, points, rank }: MatchSide, day: number): Values => ({
  [`${side}_id`]: player.number,
  [`${side}_seed`]: seed,
  [`${side}_entry`]: entry,
  [`${side}_name`]: `${player.firstName} ${player.lastName}`,
  [`${side}_hand`]: player.hand,
  [`${side}_ht`]: player.heightCm,
  [`${side}_ioc`]: player.country,
  [`${side}_age`]: ((day - Date.parse(player.birthDate)) / YEAR).toFixed(1),
  [`${side}_rank`]: rank,
  [`${side}_rank_points`]: points,
})

const serveValues = (prefix: "w" | "l", counts: ServeCounts): Values => ({
  [`${prefix}_ace`]: counts.aces,
  [`${prefix}_df`]: counts.doubleFaults,
  [`${prefix}_svpt`]: counts.servePoints,
  [`${prefix}_1stIn`]: counts.firstIn,
  [`${prefix}_1stWon`]: counts.firstWon,
  [`${prefix}_2ndWon`]: counts.secondWon,
  [`${prefix}_SvGms`]: counts.serveGames,
  [`${prefix}_bpSaved`]: counts.breakPointsSaved,
  [`${prefix}_bpFaced`]: counts.breakPointsFaced,
})

/** Score from the winner's view, such as `6-4 3-6 7-6(5)`. */
export const scoreText = ({ ending, sets, winner }: PlayedMatch): string => {
  if (ending === "walkover") return "W/O"
  const text = sets.map(({ games, tieBreak }) => {
    const [won, lost] = winner === 0 ? games : [games[1], games[0]]
    return `${won}-${lost}${tieBreak === null ? "" : `(${tieBreak})`}`
  })
  return [...text, ...(ending === "retired" ? ["RET"] : [])].join(" ")
}

/** Day such as `20240101`. */
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10).replaceAll("-", "")
