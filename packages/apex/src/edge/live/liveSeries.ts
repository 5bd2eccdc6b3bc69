/**
 * Shows live lobbies as series of the archive: in lists with `status=live`, and by id until the archive has them. Games
 * that are over have their results. The game in progress has none yet; `/apex/algs/live/{seriesId}` has its standings.
 */
import { ForeignCursor, type Listed, type PageWindow } from "@matchpoint/store/paging/listReader"
import { Effect } from "effect"
import type { MatchFilter } from "../../archive/read/ApexSeriesArchive.ts"
import type { LiveApexMatch } from "../../contract/LiveApexMatch.ts"
import type { ApexGame, ApexSeries } from "../../rules/archive/series.ts"
import { noStatistics } from "../../rules/archive/series.ts"
import { tournamentIdOf } from "../../rules/live/archivedSeries.ts"

export const seriesOfLive = (lobby: LiveApexMatch): ApexSeries => {
  const { endedAt, format, game, games, id, name, region, stage, startedAt, status, teams, tournament, updatedAt } = lobby
  const startsAt = startedAt === null ? null : Date.parse(startedAt)
  const start = startsAt ?? Date.parse(updatedAt)
  return {
    seriesId: id,
    tournamentId: tournamentIdOf(tournament, start),
    tournamentName: tournament.name,
    name,
    stage,
    region,
    status: status === "upcoming" ? "scheduled" : status,
    source: "live",
    matchPoint: format.matchPoint,
    day: new Date(start).toISOString().slice(0, 10),
    dateIsTournamentStart: false,
    startsAt,
    endedAt: endedAt === null ? null : Date.parse(endedAt),
    teams: teams.map((team) => ({ teamName: team.name, teamId: team.id, statedRank: null, statedPoints: null })),
    games: [...games.map((past) => pastGame(lobby, past)), ...(game === null ? [] : [gameInProgress(game)])],
    raw: null,
  }
}

const pastGame = ({ teams }: LiveApexMatch, game: LiveApexMatch["games"][number]): ApexGame => ({
  gameNumber: game.number,
  map: game.map,
  status: game.status,
  startedAt: Date.parse(game.startedAt),
  duration: Math.round((Date.parse(game.endedAt) - Date.parse(game.startedAt)) / 1_000),
  bannedLegends: game.bannedLegends,
  placementGap: null,
  teams: game.teams.map(({ kills, placement, points, team }) => ({
    teamName: teams[team - 1]?.name ?? "",
    placement,
    kills,
    points,
    statistics: noStatistics,
    players: [],
  })),
})

const gameInProgress = ({ bannedLegends, map, number, startedAt }: NonNullable<LiveApexMatch["game"]>): ApexGame => ({
  gameNumber: number,
  map,
  status: "live",
  startedAt: Date.parse(startedAt),
  duration: null,
  bannedLegends,
  placementGap: null,
  teams: [],
})

/** `rowsOf` returns the rows of one series. There are few, so there is no cursor. */
export const liveList = <Row>(
  lobbies: ReadonlyArray<LiveApexMatch>,
  { from, order, region, to, tournamentId }: MatchFilter,
  { cursor, limit, offset }: PageWindow,
  rowsOf: (series: ApexSeries) => ReadonlyArray<Row>,
): Effect.Effect<Listed<Row>, ForeignCursor> => {
  if (cursor !== undefined) return Effect.fail(new ForeignCursor())
  const found = lobbies
    .map(seriesOfLive)
    .filter((series) => region === undefined || series.region === region)
    .filter((series) => tournamentId === undefined || series.tournamentId === tournamentId)
    .filter(
      ({ startsAt }) =>
        startsAt === null || ((from?.getTime() ?? 0) <= startsAt && startsAt <= (to?.getTime() ?? Number.POSITIVE_INFINITY)),
    )
    .toSorted((one, other) => (order === "newest" ? -1 : 1) * ((one.startsAt ?? 0) - (other.startsAt ?? 0)))
    .flatMap(rowsOf)
  return Effect.succeed({ rows: found.slice(offset, offset + limit), before: offset, next: null, total: found.length })
}
