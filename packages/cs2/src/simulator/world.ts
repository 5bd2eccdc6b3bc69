/**
 * An endless sequence of matches between invented teams: teams, schedule and the seed of each match. It does not
 * determine when matches are played.
 */
import { childSeed, Random } from "@matchpoint/simulator/random"
import type { BestOf } from "./mapPool.ts"
import { type SimulatedTeam, simulatedTeam } from "./team.ts"

export interface ScheduledMatch {
  /** From 1. */
  readonly number: number
  readonly seed: number
  readonly bestOf: BestOf
  readonly teams: readonly [SimulatedTeam, SimulatedTeam]
  readonly eventName: string
}

export interface SimulatedWorld {
  /** The n-th team, n >= 1. There is a team for every number, but only the first ones are in the circuit and play matches. */
  readonly team: (n: number) => SimulatedTeam
  /** n >= 1. */
  readonly match: (n: number) => ScheduledMatch
}

/** Teams in a small world, enough for the archived season and a few simultaneous live matches. */
export const CIRCUIT = 16

/**
 * `circuit` is the number of scheduled teams, a multiple of 4, by default 64. Its two halves play on alternate match
 * days, so that no team plays twice in any `circuit / 4 + 1` consecutive matches.
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
