/** Draw of a single-elimination tournament: entries, seeds, byes and positions. No side effects. */
import type { Random } from "@matchpoint/simulator/random"
import type { TourPlayer } from "./tourPlayers.ts"

export interface DrawShape {
  /** Number of positions: a power of two. */
  readonly size: number
  readonly seeds: number
  /** Seeds without a match in the first round. */
  readonly byes: number
  readonly qualifiers: number
  readonly wildCards: number
}

export interface Entrant {
  readonly player: TourPlayer
  readonly seed: number | null
  /** Qualifier, wild card or lucky loser. */
  readonly entry: "Q" | "WC" | "LL" | null
}

/** Probability that a direct entrant withdraws and a lucky loser plays instead. */
const WITHDRAWALS = 0.35

/**
 * Entrants by position; `undefined` is a bye. `candidates` has the direct entrants first, then the players for
 * qualifying and wild cards. `rankOf` decides the seeds: 1 is the best.
 */
export const drawOf = (
  random: Random,
  candidates: ReadonlyArray<TourPlayer>,
  rankOf: (player: TourPlayer) => number,
  { byes, qualifiers, seeds, size, wildCards }: DrawShape,
): ReadonlyArray<Entrant | undefined> => {
  const luckyLosers = random.chance(WITHDRAWALS) ? 1 : 0
  const direct = size - byes - qualifiers - wildCards - luckyLosers
  const others = random.shuffle(candidates.slice(direct))
  const entries = [
    ...Array.from({ length: qualifiers }, () => "Q" as const),
    ...Array.from({ length: wildCards }, () => "WC" as const),
    ...Array.from({ length: luckyLosers }, () => "LL" as const),
  ]
  const byRank = candidates.slice(0, direct).sort((a, b) => rankOf(a) - rankOf(b))
  const seeded = byRank.slice(0, seeds).map((player, index): Entrant => ({ player, seed: index + 1, entry: null }))
  const unseeded = random.shuffle([
    ...byRank.slice(seeds).map((player): Entrant => ({ player, seed: null, entry: null })),
    ...entries.flatMap((entry, index): ReadonlyArray<Entrant> => {
      const player = others[index]
      return player === undefined ? [] : [{ player, seed: null, entry }]
    }),
  ])
  const places = seedPlaces(random, size, seeds)
  const positions = new Array<Entrant | undefined>(size).fill(undefined)
  const isTaken = new Array<boolean>(size).fill(false)
  for (const [index, place] of places.entries()) {
    positions[place] = seeded[index]
    isTaken[place] = true
    // The position beside a seed differs in the last bit.
    if (index < byes) isTaken[place ^ 1] = true
  }
  for (const [place, taken] of isTaken.entries()) if (!taken) positions[place] = unseeded.pop()
  return positions
}

/** Seeds 1 and 2 can meet in the final only, seeds 3 and 4 are drawn into the other two quarters, and so on. */
const seedPlaces = (random: Random, size: number, seeds: number): ReadonlyArray<number> => {
  let order = [1]
  while (order.length < size) {
    const sum = 2 * order.length + 1
    order = order.flatMap((seed, index) => (index % 2 === 0 ? [seed, sum - seed] : [sum - seed, seed]))
  }
  const placeOf = new Map(order.map((seed, place) => [seed, place]))
  const drawn = [1, 2]
  for (let from = 3; from <= seeds; from = 2 * from - 1) {
    drawn.push(...random.shuffle(Array.from({ length: from - 1 }, (_, index) => from + index)))
  }
  return drawn.slice(0, seeds).map((seed) => placeOf.get(seed) ?? 0)
}

/** Name of the round with this many players, such as `R16`. */
export const roundName = (players: number): string => ({ 2: "F", 4: "SF", 8: "QF" })[players] ?? `R${players}`
