/** A row of the archive, from the result of a live match. Pure. */
import type { MatchId } from "@matchpoint/domain/ids"
import type { SideIndex } from "../live/format.ts"
import { tournamentIdOf } from "../live/registry.ts"
import type { TennisResult } from "../live/result.ts"
import { computedColumns, doublesColumns, singlesColumns } from "./columns.ts"
import type { Cell } from "./readLine.ts"
import { parseScore } from "./score.ts"

/** Data of the archive about a player on the day of the match. */
export interface PlayerProfile {
  readonly hand: string | null
  readonly heightCm: number | null
  readonly country: string | null
  /** Years with one decimal. */
  readonly age: number | null
  readonly rank: number | null
  readonly rankPoints: number | null
}

export interface LiveRow {
  readonly table: "tennis_matches" | "tennis_doubles_matches"
  readonly cells: ReadonlyArray<Cell>
  /** Id as in the archive, without the tour. */
  readonly tournamentId: string
  readonly playerIds: ReadonlyArray<string>
  /** Day such as `2026-11-25`. */
  readonly date: string
}

/** The row, or why the match cannot be archived. `profiles` by id. What live matches lack, such as seeds, is null. */
export const liveRow = (matchId: MatchId, result: TennisResult, profiles: ReadonlyMap<string, PlayerProfile>): LiveRow | string => {
  const { countsEveryPoint, endedAt, endReason, format, score, sides, startedAt, tour, tournament, winner } = result
  if (winner === null || score === null) return "the match has no winner"
  const playerIds = sides.flatMap(({ players }) => players.flatMap(({ id }) => id ?? []))
  if (playerIds.length < (format.doubles ? 4 : 2)) return "the archive id of a player is unknown"
  const date = new Date(startedAt ?? endedAt).toISOString().slice(0, 10)
  const tournamentId = tournament.editionId === null ? unlinkedTournamentId(tournament.name, date) : tournamentIdOf(tournament.editionId)
  const { ending, problem, sets } = parseScore(score, { bestOf: format.bestOf, year: Number(date.slice(0, 4)) })
  const values: Record<string, Cell> = {
    match_id: matchId,
    tour,
    circuit: format.doubles ? "doubles" : "tour",
    match_date: date,
    date_is_tournament_start: false,
    date_source: LIVE_SOURCE,
    score,
    ending,
    score_problem: problem,
    winner_games: sets.map((set) => set.winner),
    loser_games: sets.map((set) => set.loser),
    tiebreak_points: sets.map(({ tiebreak }) => tiebreak),
    tournament_id: tournamentId,
    tournament_name: tournament.name,
    surface: tournament.surface,
    draw_size: tournament.drawSize,
    level: tournament.level,
    round: tournament.round ?? "",
    best_of: format.bestOf,
    minutes: startedAt === null || result.wasInterrupted ? null : Math.round((endedAt - startedAt) / 60_000),
  }
  for (const side of ["winner", "loser"] as const) {
    const index: SideIndex = side === "winner" ? winner : winner === 0 ? 1 : 0
    for (const [place, { id, name }] of sides[index].players.entries()) {
      const prefix = format.doubles ? `${side}${place + 1}` : side
      Object.assign(values, { [`${prefix}_id`]: id, [`${prefix}_name`]: name }, profileCells(prefix, profiles.get(id ?? "")))
    }
    if (countsEveryPoint && endReason !== "walkover") Object.assign(values, tallyCells(side, result.tallies[index]))
  }
  const columns = [...computedColumns, ...(format.doubles ? doublesColumns : singlesColumns).map(({ name }) => name)]
  return {
    table: format.doubles ? "tennis_doubles_matches" : "tennis_matches",
    cells: columns.map((column) => values[column] ?? null),
    tournamentId,
    playerIds,
    date,
  }
}

/** Value of `date_source` of archived live matches: the day is that of the live match. */
export const LIVE_SOURCE = "live"

/**
 * Id for a match whose feed named no edition of the archive. Made of the year and the name, so that matches of the same
 * tournament stay together, and different from every id of imported archives.
 */
const unlinkedTournamentId = (name: string, date: string): string =>
  `${date.slice(0, 4)}-${UNLINKED}${name
    .toLowerCase()
    .normalize("NFD")
    .replace(/[^a-z0-9]+/gu, "-")
    .replace(/^-|-$/gu, "")
    .slice(0, 50)}`

const UNLINKED = "live-"

/** The tournament is not linked to an edition of the archive. */
export const isUnlinkedTournament = (tournamentId: string): boolean => tournamentId.slice(5).startsWith(UNLINKED)

const profileCells = (prefix: string, profile: PlayerProfile | undefined): Record<string, Cell> =>
  profile === undefined
    ? {}
    : {
        [`${prefix}_hand`]: profile.hand,
        [`${prefix}_height_cm`]: profile.heightCm,
        [`${prefix}_country`]: profile.country,
        [`${prefix}_age`]: profile.age,
        [`${prefix}_rank`]: profile.rank,
        [`${prefix}_rank_points`]: profile.rankPoints,
      }

const tallyCells = (side: "winner" | "loser", tally: TennisResult["tallies"][number]): Record<string, Cell> => ({
  [`${side}_aces`]: tally.aces,
  [`${side}_double_faults`]: tally.doubleFaults,
  [`${side}_serve_points`]: tally.servePoints,
  [`${side}_serve_games`]: tally.serviceGames,
  [`${side}_break_points_saved`]: tally.breakPointsSaved,
  [`${side}_break_points_faced`]: tally.breakPointsFaced,
})
