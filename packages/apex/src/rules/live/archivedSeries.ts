/**
 * Converts the result of a lobby to a series of the archive. Statistics of a game whose reports are incomplete are null,
 * because they would be too low. Placements and kills of teams are those that count for points. No side effects.
 */
import { pointsOfGame } from "../archive/points.ts"
import { type ApexGame, type ApexPlayerGame, type ApexSeries, type ApexTeamGame, noStatistics } from "../archive/series.ts"
import { sumStatistics } from "../archive/totals.ts"
import { indexOf } from "./lobby.ts"
import type { ApexResult } from "./result.ts"

/** Prefix of the ids of tournaments that a feed has not named. No imported archive has such an id. */
const UNLINKED = "live-"

/** The series, or the reason why the lobby is not archived. */
export const archivedSeries = (seriesId: string, result: ApexResult): ApexSeries | string => {
  const { endedAt, games, lobby, startedAt, winner } = result
  if (winner === null) return "the series has no winner"
  const { format, name, region, stage, teams, tournament } = lobby
  const start = startedAt ?? endedAt
  const day = new Date(start).toISOString().slice(0, 10)
  return {
    seriesId,
    tournamentId: tournamentIdOf(tournament, start),
    tournamentName: tournament.name,
    name,
    stage,
    region,
    status: "completed",
    source: "live",
    matchPoint: format.matchPoint,
    day,
    dateIsTournamentStart: false,
    startsAt: start,
    endedAt,
    // Ranks and points follow from the games.
    teams: teams.map(({ id, name: teamName }) => ({ teamName, teamId: id, statedRank: null, statedPoints: null })),
    games: games.map((game) => gameOf(seriesId, result, game)),
    raw: null,
  }
}

/** Without a named tournament, `<year>-live-<name>` keeps its lobbies together. `start` is in epoch milliseconds. */
export const tournamentIdOf = ({ id, name }: ApexResult["lobby"]["tournament"], start: number): string =>
  id ??
  `${new Date(start).getUTCFullYear()}-${UNLINKED}${name
    .toLowerCase()
    .normalize("NFD")
    .replace(/[^a-z0-9]+/gu, "-")
    .replace(/^-|-$/gu, "")
    .slice(0, 60)}`

type ResultGame = ApexResult["games"][number]

const gameOf = (seriesId: string, { lobby }: ApexResult, game: ResultGame): ApexGame => ({
  gameNumber: game.number,
  map: game.map,
  status: game.status,
  startedAt: game.startedAt,
  duration: Math.round((game.endedAt - game.startedAt) / 1_000),
  bannedLegends: game.bannedLegends,
  placementGap: null,
  teams: game.results.map(({ kills, placement }, index): ApexTeamGame => {
    const sheet = lobby.teams[index]
    const players = (sheet?.players ?? []).flatMap(({ id, name }, place) => {
      const line = game.players[indexOf({ team: index + 1, player: place + 1 })]
      // A player without an id would otherwise be taken for players of the same name in other series.
      return line === null || line === undefined ? [] : playerOf(game, line, id ?? `${seriesId}-${index + 1}-${place + 1}`, name)
    })
    return {
      teamName: sheet?.name ?? "",
      placement,
      kills,
      points: pointsOfGame(placement, kills),
      statistics: sumStatistics(players.map(({ statistics }) => statistics)),
      players,
    }
  }),
})

const playerOf = (
  game: ResultGame,
  line: NonNullable<ResultGame["players"][number]>,
  playerId: string,
  playerName: string,
): ApexPlayerGame => {
  const { assists, damage, damageTaken, diedAt, kills, knockdowns, legend, respawns, revives, ringDamage } = line
  const survivalTime = Math.round(((diedAt ?? game.endedAt) - game.startedAt) / 1_000)
  return {
    playerId,
    playerName,
    legend,
    kills: game.countsEverything ? kills : null,
    statistics: game.countsEverything
      ? { assists, damage, damageTaken, knockdowns, revives, respawns, ringDamage, survivalTime: Math.max(0, survivalTime) }
      : noStatistics,
  }
}
