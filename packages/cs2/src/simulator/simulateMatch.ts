/**
 * Generates complete CS2 matches between invented teams from a seed: lineups, veto, maps, rounds, duels and money. A
 * match is a sequence of facts, as a live data feed reports them, and valid input for the fold. The generator reads no
 * outside state and gives the same facts for the same options. It is lazy: a round is simulated only when its first
 * fact is requested.
 */
import type { MatchId } from "@matchpoint/domain/ids"
import { Random } from "@matchpoint/simulator/random"
import { competitiveRules, type MatchRules, seriesOutcome } from "../rules/live/rules.ts"
import { playMap } from "./mapPlay.ts"
import { type BestOf, type VetoStep, veto } from "./mapPool.ts"
import { Script, type ScriptHooks } from "./script.ts"
import { type SimulatedTeam, simulatedTeam } from "./team.ts"
import type { TimedFact } from "./timedFact.ts"

/**
 * Increase it with every change that alters the facts generated from a seed; a test enforces this. A caller that stores
 * a seed in order to continue its match later must also store this version, because another version would continue with
 * a different match.
 */
export const GENERATOR_VERSION = 1

export interface MatchOptions {
  /** Any safe integer. */
  readonly seed: number
  readonly matchId: MatchId
  readonly bestOf: BestOf
  /** Default: teams derived from the seed. */
  readonly teams?: readonly [SimulatedTeam, SimulatedTeam]
  /** Default {@link competitiveRules}. Both sides must have time to win a round; otherwise, overtime never ends. */
  readonly rules?: MatchRules
  readonly eventName?: string
  readonly hooks?: MatchHooks
}

/** Hooks for things that no live data feed reports. They do not affect the generated facts. */
export interface MatchHooks extends ScriptHooks {
  /** Called before the first map. */
  readonly onVeto?: ((steps: ReadonlyArray<VetoStep>) => void) | undefined
}

/**
 * Yields the facts of a match in order. The n-th fact has the id `sim:<n>`, and the first is `MatchCreated` at offset
 * 0. To resume after the n-th fact, skip the first n. The skipped rounds are simulated again, which takes a few
 * microseconds per fact.
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

/** Standard deviation of a team's daily form, as log-odds of winning a duel. */
const FORM = 0.05

/**
 * Shortest and longest break between two maps, in milliseconds. Real breaks take about ten minutes, but viewers of a
 * demonstration would think that it has stopped.
 */
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
