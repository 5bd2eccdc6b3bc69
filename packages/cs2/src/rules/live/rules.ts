/** The rules of a CS2 map: halves, overtimes, and when a map or a series is won. */
import { Schema } from "effect"

export const Side = Schema.Literals(["CT", "T"])
export type Side = typeof Side.Type

export const otherSide = (side: Side): Side => (side === "CT" ? "T" : "CT")

/** 0 is team 1, 1 is team 2. */
export type TeamIndex = 0 | 1

export const otherTeam = (team: TeamIndex): TeamIndex => (team === 0 ? 1 : 0)

export const MatchRules = Schema.Struct({
  /** Regulation rounds, both halves together: 24 means MR12 (12 rounds per half). */
  maxRounds: Schema.Int.check(Schema.isBetween({ minimum: 2, maximum: 60 })),
  /** Rounds of one overtime, both halves together: 6 means MR3. If it is 0, a tied map is a draw. */
  overtimeRounds: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 })),
  /** Duration of a round after freeze time, in seconds. */
  roundSeconds: Schema.Natural,
  freezeSeconds: Schema.Natural,
  bombSeconds: Schema.Natural,
  /** Tactical timeouts per team and map; null if the organiser's rule is unknown. */
  timeouts: Schema.NullOr(Schema.Natural),
})
export type MatchRules = typeof MatchRules.Type

/** 24 regulation rounds (MR12), overtimes of 6 rounds (MR3), and the round times of competitive CS2. */
export const competitiveRules: MatchRules = {
  maxRounds: 24,
  overtimeRounds: 6,
  roundSeconds: 115,
  freezeSeconds: 20,
  bombSeconds: 40,
  timeouts: 4,
}

export const correctedRules = (
  rules: MatchRules,
  { maxRounds = rules.maxRounds }: { readonly maxRounds?: number | undefined },
): MatchRules => (maxRounds === rules.maxRounds ? rules : { ...rules, maxRounds })

/** 1 and 2 are regulation, 3 and 4 the first overtime, and so on. */
export const halfOfRound = (round: number, rules: MatchRules): number => {
  const half = rules.maxRounds / 2
  if (round <= rules.maxRounds || rules.overtimeRounds === 0) return round <= half ? 1 : 2
  return 3 + Math.floor((round - rules.maxRounds - 1) / (rules.overtimeRounds / 2))
}

/**
 * Teams swap sides at half-time of regulation and in the middle of each overtime, but not between overtimes or before
 * the first one. Halves 2-3, 6-7, ... are therefore played on swapped sides.
 */
export const onStartingSides = (round: number, rules: MatchRules): boolean => {
  const half = halfOfRound(round, rules)
  return half % 4 === 1 || half % 4 === 0
}

/**
 * Undefined if the map is not decided. Regulation is won with more than half of its rounds; after a tie, each overtime
 * is won with more than half of its rounds.
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

/** Minimum number of rounds before a map with this score can end; 0 if it is over. */
export const roundsToEnd = ([one, two]: readonly [number, number], rules: MatchRules): number => {
  let rounds = 0
  while (mapOutcome(one >= two ? [one + rounds, two] : [one, two + rounds], rules) === undefined) rounds += 1
  return rounds
}

/** Undefined if the series is not decided. A draw is possible if an even number of maps is played. */
export const seriesOutcome = (mapsWon: readonly [number, number], mapsPlayed: number, bestOf: number): TeamIndex | "draw" | undefined => {
  const [a, b] = mapsWon
  if (Math.max(a, b) > bestOf / 2) return a > b ? 0 : 1
  if (mapsPlayed < bestOf) return undefined
  return a === b ? "draw" : a > b ? 0 : 1
}
