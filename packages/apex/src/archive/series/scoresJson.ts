/** Scores of a series: standings, statistics of teams, players and legends, and exceptions. */
import type {
  ApexScores,
  ApexSeriesPlayer,
  ApexStandingRow,
  ApexTeamStats,
  Reasons,
  ScoreException,
} from "../../contract/http/data/seriesModels.ts"
import { averageOf, countCompositions, countLegends } from "../../rules/archive/legends.ts"
import { pointsOfGame } from "../../rules/archive/points.ts"
import type { ApexSeries } from "../../rules/archive/series.ts"
import { movingStandings } from "../../rules/archive/standings.ts"
import { gamesOfTeams, hasStatistics, playerTotals, sumStatistics } from "../../rules/archive/totals.ts"
import { type RankedTeam, rankedTeams, teamGamesOf } from "./rankedTeams.ts"
import { isPlayed, missingIn } from "./seriesJson.ts"

export const scoresOf = (series: ApexSeries): ApexScores => {
  const ranked = rankedTeams(series)
  const teamStats = teamStatsOf(series)
  const playerStats = playersOf(series)
  const legendStats = countLegends(series.games)
  const compositions = countCompositions(series.games)
  const { games, name, raw, seriesId, source, status, tournamentId } = series
  return {
    seriesId,
    eventId: tournamentId,
    name,
    status,
    source,
    standings: standingRows(series, ranked),
    teamStats,
    playerStats,
    legendStats,
    compositions,
    exceptions: exceptionsOf(series, ranked),
    raw,
    reasons: {
      ...missingIn("teamStats", teamStats),
      ...missingIn("playerStats", playerStats),
      ...missingIn("legendStats", legendStats),
      ...missingIn("compositions", compositions),
      ...placementReasons(series),
      ...(games.some(isPlayed) ? reasonsOfEmpty({ teamStats, playerStats, legendStats, compositions }, "not_recorded") : {}),
      ...(games.some(isPlayed) ? {} : reasonsOfEmpty({ teamStats, playerStats, legendStats, compositions }, "not_played")),
    },
  }
}

const standingRows = (series: ApexSeries, ranked: ReadonlyArray<RankedTeam>): ReadonlyArray<ApexStandingRow> => {
  const after = new Map(
    movingStandings(teamGamesOf(series), series.matchPoint).map(({ gameNumber, standings }) => [
      gameNumber,
      new Map(standings.map(({ points, rank, teamName }) => [teamName, { points, rank }])),
    ]),
  )
  return ranked.map(({ games, hms, kills, points, rank, teamName, wins }) => ({
    teamName,
    rank,
    points,
    kills,
    hms,
    wins: games.some(({ placement }) => placement === null) ? null : wins,
    games: games.map((game) => {
      const standing = after.get(game.gameNumber)?.get(teamName)
      return { ...game, totalPoints: standing?.points ?? 0, rankAfter: standing?.rank ?? 0 }
    }),
  }))
}

const teamStatsOf = ({ games }: ApexSeries): ReadonlyArray<ApexTeamStats> =>
  [...gamesOfTeams(games)]
    .filter(([, played]) => played.some(({ result }) => hasStatistics(result.statistics)))
    .map(([teamName, played]) => ({
      teamName,
      gamesPlayed: played.length,
      wins: played.filter(({ result }) => result.placement === 1).length,
      averagePlacement: averageOf(played.map(({ result }) => result.placement)),
      kills: played.reduce<number | null>((sum, { result }) => (sum === null || result.kills === null ? null : sum + result.kills), 0),
      ...sumStatistics(played.map(({ result }) => result.statistics)),
      games: played.map(({ gameNumber, result }) => ({ gameNumber, kills: result.kills, ...result.statistics })),
    }))

const playersOf = ({ games }: ApexSeries): ReadonlyArray<ApexSeriesPlayer> =>
  playerTotals(games).map(({ games: gamesPlayed, kills, legends, playerId, playerName, statistics, teamName }) => ({
    playerId,
    playerName,
    teamName,
    kills,
    ...statistics,
    gamesPlayed,
    legends: legends.map(({ legend }) => legend),
  }))

/** Stated values that the scoring rules do not give. */
const exceptionsOf = ({ games, teams }: ApexSeries, ranked: ReadonlyArray<RankedTeam>): ReadonlyArray<ScoreException> => {
  const stated = new Map(teams.map((team) => [team.teamName, team]))
  const of = (code: ScoreException["code"], teamName: string | null, gameNumber: number | null, values: Partial<ScoreException> = {}) => ({
    code,
    teamName,
    gameNumber,
    stated: null,
    computed: null,
    ...values,
  })
  return [
    ...games.flatMap(({ gameNumber, placementGap }) =>
      placementGap === "contradictory_source" ? [of("contradictory_placements", null, gameNumber)] : [],
    ),
    ...games.flatMap((game) =>
      game.teams.flatMap(({ kills, placement, points, teamName }) => {
        if (placement === null || kills === null) return []
        const computed = pointsOfGame(placement, kills)
        return computed === points ? [] : [of("game_points_differ", teamName, game.gameNumber, { stated: points, computed })]
      }),
    ),
    ...ranked.flatMap(({ computedPoints, computedRank, points, rank, teamName }) => [
      ...(points === computedPoints ? [] : [of("points_differ", teamName, null, { stated: points, computed: computedPoints })]),
      ...(rank === computedRank || stated.get(teamName)?.statedRank === null
        ? []
        : [of("rank_differs", teamName, null, { stated: rank, computed: computedRank })]),
    ]),
  ]
}

const placementReasons = ({ games }: ApexSeries): Reasons => {
  const gap = games.find(({ placementGap }) => placementGap !== null)?.placementGap ?? undefined
  if (gap === undefined) return {}
  const names = ["standings.kills", "standings.wins", "standings.games.placement", "standings.games.kills"]
  return Object.fromEntries(names.map((name) => [name, gap]))
}

const reasonsOfEmpty = (lists: Readonly<Record<string, ReadonlyArray<unknown>>>, reason: "not_recorded" | "not_played"): Reasons =>
  Object.fromEntries(Object.entries(lists).flatMap(([name, list]) => (list.length === 0 ? [[name, reason]] : [])))
