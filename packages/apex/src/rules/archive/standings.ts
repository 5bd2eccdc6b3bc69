/**
 * Standings of a series. Teams are ordered by:
 *
 * 1. the winner of a match point series,
 * 2. total points,
 * 3. points of the best game (HMS, highest match score), then of the second best game, and so on,
 * 4. best placement, then second best placement, and so on.
 *
 * Teams that are equal in all of these share a rank. Recorded ALGS lobbies confirm 2 to 4: they give the recorded order
 * of 75 of 77 ties (see `docs/games/apex/archive.md`).
 */
import { matchPointWinner, type TeamGames } from "./points.ts"

export interface TeamStanding extends TeamGames {
  readonly rank: number
  readonly points: number
  /** `null` if the kills of a game are unknown. */
  readonly kills: number | null
  /** Highest match score: points of the team's best game. `null` before the first game. */
  readonly hms: number | null
  /** Games won. */
  readonly wins: number
  /** The team has reached the threshold of a match point series. */
  readonly isMatchPointEligible: boolean
}

export interface StandingsRules {
  /** Threshold of a match point series, or null if total points decide. */
  readonly matchPoint: number | null
  /** Only games up to this number count. Default: all games. */
  readonly through?: number | undefined
}

/** Best team first. Teams with equal results are in alphabetical order. */
export const standingsOf = (teams: ReadonlyArray<TeamGames>, { matchPoint, through = Number.POSITIVE_INFINITY }: StandingsRules) => {
  const counted = teams.map(({ games, teamName }) => ({ teamName, games: games.filter(({ gameNumber }) => gameNumber <= through) }))
  const winner = matchPoint === null ? undefined : matchPointWinner(counted, matchPoint)
  const sorted = counted
    .map((team) => ({ team, order: orderOf(team, team.teamName === winner) }))
    .toSorted((one, other) => compare(one.order, other.order) || (one.team.teamName < other.team.teamName ? -1 : 1))
  let rank = 0
  return sorted.map(({ order, team: { games, teamName } }, index): TeamStanding => {
    const before = sorted[index - 1]
    if (before === undefined || compare(before.order, order) !== 0) rank = index + 1
    return {
      rank,
      teamName,
      points: order.points,
      kills: sumOrNull(games.map(({ kills }) => kills)),
      hms: order.scores[0] ?? null,
      wins: games.filter(({ placement }) => placement === 1).length,
      isMatchPointEligible: matchPoint !== null && order.points >= matchPoint,
      games,
    }
  })
}

/** Standings after each game, in order. */
export const movingStandings = (teams: ReadonlyArray<TeamGames>, matchPoint: number | null) => {
  const numbers = new Set(teams.flatMap(({ games }) => games.map(({ gameNumber }) => gameNumber)))
  return [...numbers]
    .toSorted((one, other) => one - other)
    .map((gameNumber) => ({ gameNumber, standings: standingsOf(teams, { matchPoint, through: gameNumber }) }))
}

/** Null if a value is null. The sum of no values is 0. */
export const sumOrNull = (values: ReadonlyArray<number | null>): number | null => {
  let sum = 0
  for (const value of values) {
    if (value === null) return null
    sum += value
  }
  return sum
}

interface Order {
  readonly isWinner: boolean
  readonly points: number
  /** Points of the games, highest first. */
  readonly scores: ReadonlyArray<number>
  /** Known placements, best first. */
  readonly placements: ReadonlyArray<number>
}

const orderOf = ({ games }: TeamGames, isWinner: boolean): Order => {
  const scores = games.map(({ points }) => points).toSorted((one, other) => other - one)
  const placements = games.flatMap(({ placement }) => placement ?? []).toSorted((one, other) => one - other)
  return { isWinner, points: scores.reduce((sum, points) => sum + points, 0), scores, placements }
}

/** Negative if `one` is ahead of `other`, and 0 if they are equal. */
const compare = (one: Order, other: Order): number =>
  Number(other.isWinner) - Number(one.isWinner) ||
  other.points - one.points ||
  compareLists(other.scores, one.scores, 0) ||
  compareLists(one.placements, other.placements, Number.POSITIVE_INFINITY)

/** Compares element by element. `missing` stands for the missing elements of the shorter list. */
const compareLists = (one: ReadonlyArray<number>, other: ReadonlyArray<number>, missing: number): number => {
  for (let index = 0; index < Math.max(one.length, other.length); index += 1) {
    const [left, right] = [one[index] ?? missing, other[index] ?? missing]
    if (left !== right) return left < right ? -1 : 1
  }
  return 0
}
