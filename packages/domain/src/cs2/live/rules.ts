/**
 * The rules a CS2 map is played by: halves, overtimes, when a map and a series are won. Owns no state.
 */
import { Schema } from "effect"

export const Side = Schema.Literals(["CT", "T"])
export type Side = typeof Side.Type

export const otherSide = (side: Side): Side => (side === "CT" ? "T" : "CT")

/** Index of a team in a match: 0 is team 1. */
export type TeamIndex = 0 | 1

export const otherTeam = (team: TeamIndex): TeamIndex => (team === 0 ? 1 : 0)

export const MatchRules = Schema.Struct({
  /** Rounds of regulation, both halves together: 24 is MR12. */
  maxRounds: Schema.Int.check(Schema.isBetween({ minimum: 2, maximum: 60 })),
  /** Rounds of one overtime, both halves together: 6 is MR3. 0: no overtime, a tied map is drawn. */
  overtimeRounds: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 })),
  /** Seconds of round time after freeze time. */
  roundSeconds: Schema.Natural,
  freezeSeconds: Schema.Natural,
  bombSeconds: Schema.Natural,
  /** Tactical timeouts per team and map; null when the organiser's rule is unknown. */
  timeouts: Schema.NullOr(Schema.Natural),
})
export type MatchRules = typeof MatchRules.Type

/** MR12 with MR3 overtimes and the competitive clock of CS2. */
export const competitiveRules: MatchRules = {
  maxRounds: 24,
  overtimeRounds: 6,
  roundSeconds: 115,
  freezeSeconds: 20,
  bombSeconds: 40,
  timeouts: 4,
}

/** Which half a round belongs to: 1 and 2 are regulation, 3 and 4 the first overtime, and so on. */
export const halfOfRound = (round: number, rules: MatchRules): number => {
  const half = rules.maxRounds / 2
  if (round <= rules.maxRounds || rules.overtimeRounds === 0) return round <= half ? 1 : 2
  return 3 + Math.floor((round - rules.maxRounds - 1) / (rules.overtimeRounds / 2))
}

/**
 * Whether teams stand on the sides they started the map on. They swap at half-time of regulation and at the middle of each
 * overtime, not between overtimes nor before the first: halves 2-3, 6-7, ... are played on swapped sides.
 */
export const onStartingSides = (round: number, rules: MatchRules): boolean => {
  const half = halfOfRound(round, rules)
  return half % 4 === 1 || half % 4 === 0
}

/**
 * What the score of a map means: still open (undefined), won by a team, or drawn. Regulation is won with more than half of its
 * rounds; from a tie there on, each overtime with more than half of its own.
 */
export const mapOutcome = (score: readonly [number, number], rules: MatchRules): TeamIndex | "draw" | undefined => {
  const half = rules.maxRounds / 2
  const most = Math.max(...score)
  const least = Math.min(...score)
  const ahead: TeamIndex = score[0] > score[1] ? 0 : 1
  if (least < half) return most > half ? ahead : undefined
  if (rules.overtimeRounds === 0) return most === least ? "draw" : ahead
  const overtimeHalf = rules.overtimeRounds / 2
  const overtimesTied = Math.floor((least - half) / overtimeHalf)
  return most > half + (overtimesTied + 1) * overtimeHalf ? ahead : undefined
}

/** Rounds that a map at a score needs to end, at least; 0 if it is over. */
export const roundsToEnd = ([one, two]: readonly [number, number], rules: MatchRules): number => {
  let rounds = 0
  while (mapOutcome(one >= two ? [one + rounds, two] : [one, two + rounds], rules) === undefined) rounds += 1
  return rounds
}

/** Winner of a series by maps won; "draw" is possible where an even number of maps is played. */
export const seriesOutcome = (mapsWon: readonly [number, number], mapsPlayed: number, bestOf: number): TeamIndex | "draw" | undefined => {
  const [a, b] = mapsWon
  if (Math.max(a, b) > bestOf / 2) return a > b ? 0 : 1
  if (mapsPlayed < bestOf) return undefined
  return a === b ? "draw" : a > b ? 0 : 1
}
