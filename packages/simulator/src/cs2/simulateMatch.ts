/**
 * Whole CS2 matches out of a seed: line-ups, veto, maps, rounds, duels, money. Pure and lazy: nothing is read from outside, the
 * same options always give the same facts, and a round is played when its first fact is asked for. Every fact is one that the
 * fold of the domain accepts. Teams and players are invented.
 */
import { competitiveRules, type MatchRules, seriesOutcome } from "@matchpoint/domain/cs2/live/rules"
import type { MatchId } from "@matchpoint/domain/ids"
import { Random } from "../random.ts"
import { playMap } from "./mapPlay.ts"
import { type BestOf, type VetoStep, veto } from "./mapPool.ts"
import { Script, type ScriptHooks } from "./script.ts"
import { type SimulatedTeam, simulatedTeam } from "./team.ts"
import type { TimedFact } from "./timedFact.ts"

/**
 * Raised with every change that makes a seed give other facts; a test holds it to that. Whoever stores a seed to go on with its match
 * later stores this with it: another version would go on with another match.
 */
export const GENERATOR_VERSION = 1

export interface MatchOptions {
  /** Any safe integer. */
  readonly seed: number
  readonly matchId: MatchId
  readonly bestOf: BestOf
  /** Default: two teams made from the seed. */
  readonly teams?: readonly [SimulatedTeam, SimulatedTeam]
  /** Default: {@link competitiveRules}. Both sides need time to win a round: where only one ever can, overtimes don't end. */
  readonly rules?: MatchRules
  readonly eventName?: string
  readonly hooks?: MatchHooks
}

/** Reports of what no feed reports. Changes no fact. */
export interface MatchHooks extends ScriptHooks {
  /** The veto, before the first map. */
  readonly onVeto?: ((steps: ReadonlyArray<VetoStep>) => void) | undefined
}

/**
 * The facts of a match in order; the n-th has the id `sim:<n>`, the first is MatchCreated at offset 0. To go on after the n-th, drop
 * n: that plays the rounds before it again, at some microseconds per fact.
 */
export function* simulateMatch(options: MatchOptions): Generator<TimedFact, void, undefined> {
  const { seed, matchId, bestOf, rules = competitiveRules, eventName } = options
  const teams = options.teams ?? [simulatedTeam(seed, 1), simulatedTeam(seed, 2)]
  const random = new Random(seed)
  const script = new Script(matchId, options.hooks)
  createMatch(script, teams, bestOf, rules, eventName ?? null)
  yield* script.take()

  const form: readonly [number, number] = [random.normal() * FORM, random.normal() * FORM]
  const mapsWon: [number, number] = [0, 0]
  const { maps, steps } = veto(random, teams, bestOf)
  options.hooks?.onVeto?.(steps)
  for (const picked of maps) {
    script.pass(script.mapNumber === 0 ? random.between(15_000, 30_000) : random.between(...MAP_BREAK_MS))
    script.mapNumber += 1
    const winner = yield* playMap({ script, random, rules, teams, form, picked })
    if (winner !== "draw") mapsWon[winner] += 1
    if (seriesOutcome(mapsWon, script.mapNumber, bestOf) !== undefined) return
  }
}

/** Spread of a team's form from match to match, as a logit of a duel. */
const FORM = 0.05

/** Shorter than the ten minutes of a real event: whoever watches a demonstration should not think that it has stopped. */
const MAP_BREAK_MS = [90_000, 150_000] as const

const createMatch = (
  script: Script,
  teams: readonly [SimulatedTeam, SimulatedTeam],
  bestOf: BestOf,
  rules: MatchRules,
  eventName: string | null,
): void =>
  script.write({
    type: "MatchCreated",
    payload: {
      bestOf,
      teams: [
        { id: teams[0].id, name: teams[0].name },
        { id: teams[1].id, name: teams[1].name },
      ],
      rules,
      eventName,
      roster: teams.flatMap((team) => team.players.map(({ id, nickname, name }) => ({ playerId: id, teamId: team.id, nickname, name }))),
    },
  })
