/** The rules of a CS2 map: halves, overtimes, and when a map or a series is won. Has no state. */
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
  /** Rounds of one overtime, both halves together: 6 is MR3. With 0 there is no overtime, and a tied map is a draw. */
  overtimeRounds: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 })),
  /** Round time after freeze time, in seconds. */
  roundSeconds: Schema.Natural,
  freezeSeconds: Schema.Natural,
  bombSeconds: Schema.Natural,
  /** Tactical timeouts per team and map; null if the organiser's rule is unknown. */
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

/** Returns the half of a round: 1 and 2 are regulation, 3 and 4 the first overtime, and so on. */
export const halfOfRound = (round: number, rules: MatchRules): number => {
  const half = rules.maxRounds / 2
  if (round <= rules.maxRounds || rules.overtimeRounds === 0) return round <= half ? 1 : 2
  return 3 + Math.floor((round - rules.maxRounds - 1) / (rules.overtimeRounds / 2))
}

/**
 * Returns true if the teams are on the sides on which they started the map. They swap at half-time of regulation and in
 * the middle of each overtime, but not between overtimes or before the first. Halves 2-3, 6-7, ... are therefore played
 * on swapped sides.
 */
export const onStartingSides = (round: number, rules: MatchRules): boolean => {
  const half = halfOfRound(round, rules)
  return half % 4 === 1 || half % 4 === 0
}

/**
 * Returns the outcome of a map at a score: the winner, a draw, or undefined if it is still open. Regulation is won with
 * more than half of its rounds. After a tie, each overtime is won with more than half of its own rounds.
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

/** Returns the minimum number of rounds until a map at this score ends; 0 if it is over. */
export const roundsToEnd = ([one, two]: readonly [number, number], rules: MatchRules): number => {
  let rounds = 0
  while (mapOutcome(one >= two ? [one + rounds, two] : [one, two + rounds], rules) === undefined) rounds += 1
  return rounds
}

/** Returns the winner of a series by maps won. `draw` is possible if an even number of maps is played. */
export const seriesOutcome = (mapsWon: readonly [number, number], mapsPlayed: number, bestOf: number): TeamIndex | "draw" | undefined => {
  const [a, b] = mapsWon
  if (Math.max(a, b) > bestOf / 2) return a > b ? 0 : 1
  if (mapsPlayed < bestOf) return undefined
  return a === b ? "draw" : a > b ? 0 : 1
}
