/** A ranking list has the points of the tournaments that ended in the 52 weeks before a Monday. Pure. */
import type { Rank } from "./competitions.ts"
import type { TourPlayer } from "./tourPlayers.ts"

const WEEK = 7 * 86_400_000

export interface TournamentResult {
  /** Last day of the tournament, in milliseconds since the Unix epoch. */
  readonly endedAt: number
  /** Points by the number of the player. */
  readonly points: ReadonlyMap<number, number>
}

export interface RankingRow {
  readonly player: TourPlayer
  readonly rank: number
  readonly points: number
  /** Played in the 52 weeks. */
  readonly tournaments: number
}

/** Points of the winner, the other finalist, the losers of the semi-finals, and so on. */
const tables: Readonly<Record<Rank, ReadonlyArray<number>>> = {
  grand: [2_000, 1_300, 800, 400, 200, 100, 10],
  major: [1_000, 650, 400, 200, 100, 50, 10],
  regular: [250, 165, 100, 50, 25, 5],
}

/** Points for losing in a round with this many players, or 1 for the winner. */
export const pointsOf = (rank: Rank, players: number): number => tables[rank][Math.log2(players)] ?? 0

/** Players with equal points are ordered by tournaments, fewer first, then by number. */
export const rankingOf = (
  players: ReadonlyArray<TourPlayer>,
  results: ReadonlyArray<TournamentResult>,
  monday: number,
): ReadonlyArray<RankingRow> => {
  const counted = results.filter(({ endedAt }) => endedAt < monday && endedAt >= monday - 52 * WEEK)
  return players
    .map((player) => {
      const won = counted.flatMap(({ points }) => points.get(player.number) ?? [])
      return { player, points: won.reduce((sum, one) => sum + one, 0), tournaments: won.length }
    })
    .sort((a, b) => b.points - a.points || a.tournaments - b.tournaments || a.player.number - b.player.number)
    .map((row, index) => ({ ...row, rank: index + 1 }))
}
