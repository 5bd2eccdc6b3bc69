/**
 * An endless world of invented teams that play each other: which match is the n-th, who plays it and from which seed. Pure; when
 * matches are played is not decided here.
 */
import { childSeed, Random } from "../random.ts"
import type { BestOf } from "./mapPool.ts"
import { type SimulatedTeam, simulatedTeam } from "./team.ts"

export interface ScheduledMatch {
  /** 1, 2, 3, ... */
  readonly number: number
  readonly seed: number
  readonly bestOf: BestOf
  readonly teams: readonly [SimulatedTeam, SimulatedTeam]
  readonly eventName: string
}

export interface SimulatedWorld {
  /** The n-th team, n >= 1. Teams beyond the circuit exist too; they just aren't invited. */
  readonly team: (n: number) => SimulatedTeam
  /** The n-th match, n >= 1. */
  readonly match: (n: number) => ScheduledMatch
}

/** Teams of a small world: of the season in the archive, and of the few matches that are live beside it. */
export const CIRCUIT = 16

/**
 * `circuit`: how many teams are on the schedule, a multiple of 4, default 64. Half of them play each match day, the halves taking
 * turns, so that no team is in two of any `circuit / 4 + 1` matches in a row.
 */
export const simulatedWorld = (seed: number, options?: { readonly circuit?: number }): SimulatedWorld => {
  const circuit = Math.max(4, Math.ceil((options?.circuit ?? 64) / 4) * 4)
  const matchesPerDay = circuit / 4
  const team = (n: number) => simulatedTeam(seed, n)
  const match = (n: number): ScheduledMatch => {
    const day = Math.floor((n - 1) / matchesPerDay)
    const half = Array.from({ length: circuit / 2 }, (_, i) => (day % 2) * (circuit / 2) + i + 1)
    const order = new Random(childSeed(childSeed(seed, DAY_SALT), day)).shuffle(half)
    const place = 2 * ((n - 1) % matchesPerDay)
    const matchSeed = childSeed(childSeed(seed, MATCH_SALT), n)
    return {
      number: n,
      seed: matchSeed,
      bestOf: new Random(matchSeed).chance(0.3) ? 1 : 3,
      teams: [team(order[place] ?? 1), team(order[place + 1] ?? 2)],
      eventName: `Simulated League, day ${day + 1}`,
    }
  }
  return { team, match }
}

const DAY_SALT = 0xda1
const MATCH_SALT = 0x3a7c4
