/**
 * Configuration of a simulated match, stored with the match in the database, from which the match can be generated
 * again. The store defines the rest of the row.
 */
import { factId, type MatchId } from "@matchpoint/domain/ids"
import type { SimulatedGame } from "@matchpoint/game/feed/simulated/SimulatedGame"
import type { MatchRegistration, RegisteredMatch } from "@matchpoint/store/live/Matches"
import { Option, Schema } from "effect"
import { decodeFeedEvent } from "../../contract/feed.ts"
import { CS2 } from "../../rules/live/cs2Rules.ts"
import { GENERATOR_VERSION, type MatchOptions, simulateMatch } from "../../simulator/simulateMatch.ts"
import { toFeedEvent } from "../../simulator/timedFact.ts"
import { CIRCUIT, type ScheduledMatch, simulatedWorld } from "../../simulator/world.ts"

export const SimulatedConfig = Schema.Struct({
  simulated: Schema.Struct({
    /** Version of the generator that started the match. Another version would generate a different continuation. */
    generator: Schema.Natural,
    /** Seed of the simulated world (teams and schedule). */
    seed: Schema.Int,
    circuit: Schema.Natural,
    /** Number of the match in the schedule of the simulated world. */
    number: Schema.Natural,
  }),
})
export type SimulatedConfig = typeof SimulatedConfig.Type

const decodeConfig = Schema.decodeUnknownOption(SimulatedConfig)

export interface SimulatedMatch {
  readonly matchId: MatchId
  readonly config: SimulatedConfig["simulated"]
}

/** None if the match is played by real feeds. */
export const fromRow = (row: RegisteredMatch): Option.Option<SimulatedMatch> =>
  Option.map(decodeConfig(row.config), ({ simulated }) => ({ matchId: row.matchId, config: simulated }))

const scheduled = ({ circuit, number, seed }: SimulatedConfig["simulated"]): ScheduledMatch =>
  simulatedWorld(seed, { circuit }).match(number)

const teamsOf = (config: SimulatedConfig["simulated"]): ReadonlyArray<string> => scheduled(config).teams.map(({ id }) => id)

export const configOf = (world: { readonly seed: number; readonly circuit: number }, number: number): SimulatedConfig => ({
  simulated: { generator: GENERATOR_VERSION, ...world, number },
})

export const toRegistration = (config: SimulatedConfig): MatchRegistration => {
  const { bestOf, teams } = scheduled(config.simulated)
  return { bestOf, team1: { id: teams[0].id, name: teams[0].name }, team2: { id: teams[1].id, name: teams[1].name }, config }
}

export const toOptions = (match: SimulatedMatch): MatchOptions => {
  const { bestOf, eventName, seed, teams } = scheduled(match.config)
  return { matchId: match.matchId, seed, bestOf, teams, eventName }
}

/** `concurrent` is the number of simultaneous matches. */
export const simulatedCs2 = (concurrent: number): SimulatedGame<SimulatedConfig["simulated"]> => {
  // With at least four teams per concurrent match, two teams without a running match can always be found.
  const circuit = Math.max(CIRCUIT, 4 * concurrent)
  return {
    game: CS2,
    generator: GENERATOR_VERSION,
    mostAtOnce: concurrent,
    decodeEvent: decodeFeedEvent,
    configOf: (row) => Option.map(fromRow(row), ({ config }) => config),
    scheduled: (seed, number) => configOf({ seed, circuit }, number).simulated,
    registrationOf: (simulated) => toRegistration({ simulated }),
    participantsOf: teamsOf,
    factsOf: (match) =>
      simulateMatch(toOptions(match)).map((fact) => ({ offsetMs: fact.offsetMs, at: (times) => toFeedEvent(fact, times) })),
    cancelled: (matchId, times) => {
      const payload = { winnerTeamId: null, reason: "cancelled" } as const
      return { id: factId("sim:cancelled"), matchId, source: "main", ...times, type: "MatchEnded", payload }
    },
  }
}
