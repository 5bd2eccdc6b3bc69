/** The final or current standings of an archived series, as the source states them or by the scoring rules. */
import type { TeamGames } from "../../rules/archive/points.ts"
import type { ApexSeries } from "../../rules/archive/series.ts"
import { standingsOf, type TeamStanding } from "../../rules/archive/standings.ts"
import { gamesOfTeams } from "../../rules/archive/totals.ts"

export interface RankedTeam extends TeamStanding {
  /** Rank and points by the scoring rules. They differ from `rank` and `points` if the source states others. */
  readonly computedRank: number
  readonly computedPoints: number
}

/** Teams without a game have no results. */
export const teamGamesOf = ({ games, teams }: Pick<ApexSeries, "games" | "teams">): ReadonlyArray<TeamGames> => {
  const results = gamesOfTeams(games)
  return teams.map(({ teamName }) => ({
    teamName,
    games: (results.get(teamName) ?? []).map(({ gameNumber, result: { kills, placement, points } }) => ({
      gameNumber,
      placement,
      kills,
      points,
    })),
  }))
}

/** Ranks and points of the source take precedence over computed ones. */
export const rankedTeams = (series: Pick<ApexSeries, "games" | "matchPoint" | "teams">): ReadonlyArray<RankedTeam> => {
  const stated = new Map(series.teams.map((team) => [team.teamName, team]))
  return standingsOf(teamGamesOf(series), { matchPoint: series.matchPoint })
    .map((team): RankedTeam => {
      const source = stated.get(team.teamName)
      return {
        ...team,
        rank: source?.statedRank ?? team.rank,
        points: source?.statedPoints ?? team.points,
        computedRank: team.rank,
        computedPoints: team.points,
      }
    })
    .toSorted((one, other) => one.rank - other.rank)
}
