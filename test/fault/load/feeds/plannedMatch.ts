/**
 * The tennis matches of a run: which facts the feeds send, in which order. Everything follows from the seed, so that the
 * checks compute the expected documents from the same facts. Has no side effects.
 */
import { type MatchId, matchIdOf } from "@matchpoint/domain/ids"
import type { TennisRegistration } from "@matchpoint/tennis/contract/http/TennisRegistration"
import { TENNIS } from "@matchpoint/tennis/rules/game"
import { bestOfThree } from "@matchpoint/tennis/rules/live/format"
import { simulateMatch } from "@matchpoint/tennis/simulator/live/simulateMatch"
import type { TimedFact } from "@matchpoint/tennis/simulator/live/timedFact"
import { scheduledMatch } from "@matchpoint/tennis/simulator/live/world"

export interface PlannedMatch {
  readonly registration: TennisRegistration
  /** Facts after `MatchCreated`, which the registration creates. */
  readonly facts: ReadonlyArray<TimedFact>
}

const YEAR = 2026
const TRIES = 200

/** The longest format, so that a match lasts for the whole run. */
const format = { ...bestOfThree, bestOf: 5, finalSet: "advantage" } as const

/** Placeholder: the ids of matches are only known after their registration, and facts do not depend on them. */
const unknownId = matchIdOf(TENNIS, 1)

/**
 * Returns the n-th match of a seed, n >= 1. It has at least `length` facts, or is the longest of 200 matches. The n-th
 * match of a seed always has the same players.
 */
export const plannedMatch = (seed: number, n: number, length: number): PlannedMatch => {
  const scheduled = { ...scheduledMatch(seed, n, YEAR), format }
  const sides = scheduled.sides.map((side) => ({ ...side, players: side.players.slice(0, 1) }))
  const [first, second] = sides
  if (first === undefined || second === undefined) throw new Error("a match has two sides")
  let longest: ReadonlyArray<TimedFact> = []
  for (let attempt = 0; attempt < TRIES && longest.length < length; attempt++) {
    const played = [...simulateMatch({ ...scheduled, seed: scheduled.seed + attempt, matchId: unknownId, sides: [first, second] })]
    if (played.length - 1 > longest.length) longest = played.slice(1)
  }
  const { tour, tournament } = scheduled
  return {
    registration: {
      tour,
      tournament: { name: tournament.name, surface: tournament.surface },
      format,
      sides: [{ players: first.players }, { players: second.players }],
    },
    facts: longest,
  }
}

/** Number of a match id, for messages that must be short. */
export const shortId = (matchId: MatchId): string => matchId.slice(matchId.lastIndexOf("-") + 1)
