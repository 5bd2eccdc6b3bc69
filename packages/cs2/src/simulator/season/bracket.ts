/** The bracket of a tournament with eight teams: pairings and final places. */
import type { BestOf } from "../mapPool.ts"

type Round = "Quarter-final" | "Semi-final" | "Grand final"

export type BestOfs = Readonly<Record<Round, BestOf>>

export interface Pairing {
  readonly round: Round
  readonly bestOf: BestOf
  /** Day of the tournament, from 0. */
  readonly day: number
}

/**
 * Yields the pairings of all three rounds, one at a time, and returns the standings. `teams` is in seed order: the
 * first round pairs seed 1 with seed 8, seed 2 with seed 7, and so on. After each pairing, the caller must pass the
 * index of the winner, 0 or 1, to `next`.
 */
export function* bracketOf<Team extends object>(
  teams: ReadonlyArray<Team>,
  bestOf: BestOfs,
): Generator<readonly [Pairing, Team, Team], Standings<Team>, 0 | 1> {
  const order = [0, 7, 3, 4, 1, 6, 2, 5].flatMap((seed) => teams[seed] ?? [])
  const rounds = [
    { round: "Quarter-final", bestOf: bestOf["Quarter-final"], day: 0 },
    { round: "Semi-final", bestOf: bestOf["Semi-final"], day: 2 },
    { round: "Grand final", bestOf: bestOf["Grand final"], day: 4 },
  ] as const
  let field = order
  const out: Array<ReadonlyArray<Team>> = []
  for (const pairing of rounds) {
    const winners: Array<Team> = []
    const losers: Array<Team> = []
    for (let i = 0; i + 1 < field.length; i += 2) {
      const one = field[i]
      const two = field[i + 1]
      if (one === undefined || two === undefined) break
      const winner = yield [pairing, one, two]
      winners.push(winner === 0 ? one : two)
      losers.push(winner === 0 ? two : one)
    }
    out.unshift(losers)
    field = winners
  }
  const places = ["2", "3-4", "5-8"] as const
  return [
    ...field.map((team) => ({ team, place: "1" })),
    ...out.flatMap((losers, index) => losers.map((team) => ({ team, place: places[index] ?? "5-8" }))),
  ]
}

export type Standings<Team> = ReadonlyArray<{ readonly team: Team; readonly place: string }>
