/**
 * A simulated match in the register of matches: what its row says, and how the match is made again from that. Owns the row's
 * configuration; the row itself belongs to the store.
 */
import type { MatchId } from "@matchpoint/domain/ids"
import { GENERATOR_VERSION, type MatchOptions } from "@matchpoint/simulator/cs2/simulateMatch"
import { type ScheduledMatch, simulatedWorld } from "@matchpoint/simulator/cs2/world"
import type { MatchRegistration, RegisteredMatch } from "@matchpoint/store/live/Matches"
import { Option, Schema } from "effect"

/** Enough to play the match again fact by fact. */
export const SimulatedConfig = Schema.Struct({
  simulated: Schema.Struct({
    /** The version of the generator that began it; another one would continue with another match. */
    generator: Schema.Natural,
    /** The world it is played in. */
    seed: Schema.Int,
    circuit: Schema.Natural,
    /** Its number on that world's schedule. */
    number: Schema.Natural,
  }),
})
export type SimulatedConfig = typeof SimulatedConfig.Type

const decodeConfig = Schema.decodeUnknownOption(SimulatedConfig)

export interface SimulatedMatch {
  readonly matchId: MatchId
  readonly config: SimulatedConfig["simulated"]
}

/** None: the row is not a simulated match, but one that real feeds play. */
export const fromRow = (row: RegisteredMatch): Option.Option<SimulatedMatch> =>
  Option.map(decodeConfig(row.config), ({ simulated }) => ({ matchId: row.matchId, config: simulated }))

const scheduled = ({ circuit, number, seed }: SimulatedConfig["simulated"]): ScheduledMatch =>
  simulatedWorld(seed, { circuit }).match(number)

/** Ids of the two teams. */
export const teamsOf = (config: SimulatedConfig["simulated"]): ReadonlyArray<string> => scheduled(config).teams.map(({ id }) => id)

/** A match not begun yet. */
export const configOf = (world: { readonly seed: number; readonly circuit: number }, number: number): SimulatedConfig => ({
  simulated: { generator: GENERATOR_VERSION, ...world, number },
})

export const toRegistration = (config: SimulatedConfig): MatchRegistration => {
  const { bestOf, teams } = scheduled(config.simulated)
  return { bestOf, team1: { id: teams[0].id, name: teams[0].name }, team2: { id: teams[1].id, name: teams[1].name }, config }
}

/** False: it was begun by another version of the generator, which alone knows how it goes on. */
export const canBeContinued = (match: SimulatedMatch): boolean => match.config.generator === GENERATOR_VERSION

export const toOptions = (match: SimulatedMatch): MatchOptions => {
  const { bestOf, eventName, seed, teams } = scheduled(match.config)
  return { matchId: match.matchId, seed, bestOf, teams, eventName }
}
