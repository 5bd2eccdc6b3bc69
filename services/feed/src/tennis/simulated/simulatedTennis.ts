/**
 * Simulated tennis matches: the configuration that is stored with a match, and the functions that generate the match
 * again from it.
 */
import { decodeFeedEvent } from "@matchpoint/contracts/tennis/feed"
import { factId, type MatchId } from "@matchpoint/domain/ids"
import { TENNIS } from "@matchpoint/domain/tennis/game"
import { GENERATOR_VERSION, type MatchOptions, simulateMatch } from "@matchpoint/simulator/tennis/live/simulateMatch"
import { toFeedEvent } from "@matchpoint/simulator/tennis/live/timedFact"
import { type ScheduledMatch, scheduledMatch } from "@matchpoint/simulator/tennis/live/world"
import { Option, Schema } from "effect"
import type { SimulatedGame } from "../../simulated/SimulatedGame.ts"
import { matchTeam } from "../intake/registration.ts"

/** Configuration from which a match can be generated again. */
const StoredConfig = Schema.Struct({
  simulated: Schema.Struct({
    generator: Schema.Natural,
    seed: Schema.Int,
    number: Schema.Natural,
    /** Year of the tournament. */
    year: Schema.Natural,
  }),
})
type SimulatedConfig = (typeof StoredConfig.Type)["simulated"]

const decodeConfig = Schema.decodeUnknownOption(StoredConfig)

const scheduleOf = ({ number, seed, year }: SimulatedConfig): ScheduledMatch => scheduledMatch(seed, number, year)

export const optionsOf = (config: SimulatedConfig, matchId: MatchId): MatchOptions => ({ ...scheduleOf(config), matchId })

export const simulatedTennis: SimulatedGame<SimulatedConfig> = {
  game: TENNIS,
  generator: GENERATOR_VERSION,
  decodeEvent: decodeFeedEvent,
  configOf: ({ config }) => Option.map(decodeConfig(config), ({ simulated }) => simulated),
  scheduled: (seed, number, now) => ({ generator: GENERATOR_VERSION, seed, number, year: new Date(now).getUTCFullYear() }),
  registrationOf: (simulated) => {
    const { format, sides } = scheduleOf(simulated)
    return { bestOf: format.bestOf, team1: matchTeam(sides[0]), team2: matchTeam(sides[1]), config: { simulated } }
  },
  participantsOf: (config) => scheduleOf(config).sides.flatMap(({ players }) => players.map(({ id, name }) => id ?? name)),
  factsOf: ({ config, matchId }) =>
    simulateMatch(optionsOf(config, matchId)).map((fact) => ({ offsetMs: fact.offsetMs, at: (times) => toFeedEvent(fact, times) })),
  cancelled: (matchId, times) => ({ id: factId("sim:cancelled"), matchId, source: "main", ...times, type: "Cancelled", payload: {} }),
}
