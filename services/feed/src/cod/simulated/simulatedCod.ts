/**
 * Simulated Call of Duty matches: the configuration that is stored with a match, and the functions that generate the
 * match again from it.
 */
import { decodeFeedEvent } from "@matchpoint/contracts/cod/feed"
import { seasonOf } from "@matchpoint/domain/cod/archive/season"
import { COD } from "@matchpoint/domain/cod/game"
import { factId, type MatchId } from "@matchpoint/domain/ids"
import { GENERATOR_VERSION, type MatchOptions, simulateMatch } from "@matchpoint/simulator/cod/live/simulateMatch"
import { toFeedEvent } from "@matchpoint/simulator/cod/live/timedFact"
import { type ScheduledMatch, scheduledMatch } from "@matchpoint/simulator/cod/live/world"
import { Option, Schema } from "effect"
import type { SimulatedGame } from "../../simulated/SimulatedGame.ts"
import { matchTeam } from "../intake/registration.ts"

/** Configuration from which a match can be generated again. */
const StoredConfig = Schema.Struct({
  simulated: Schema.Struct({ generator: Schema.Natural, seed: Schema.Int, number: Schema.Natural, season: Schema.Natural }),
})
type SimulatedConfig = (typeof StoredConfig.Type)["simulated"]

const decodeConfig = Schema.decodeUnknownOption(StoredConfig)

const scheduleOf = ({ number, season, seed }: SimulatedConfig): ScheduledMatch => scheduledMatch(seed, number, season)

export const optionsOf = (config: SimulatedConfig, matchId: MatchId): MatchOptions => ({ ...scheduleOf(config), matchId })

export const simulatedCod: SimulatedGame<SimulatedConfig> = {
  game: COD,
  generator: GENERATOR_VERSION,
  decodeEvent: decodeFeedEvent,
  configOf: ({ config }) => Option.map(decodeConfig(config), ({ simulated }) => simulated),
  scheduled: (seed, number, now) => ({
    generator: GENERATOR_VERSION,
    seed,
    number,
    season: seasonOf(new Date(now).toISOString().slice(0, 10)),
  }),
  registrationOf: (simulated) => {
    const { bestOf, teams } = scheduleOf(simulated)
    return { bestOf, team1: matchTeam(teams[0]), team2: matchTeam(teams[1]), config: { simulated } }
  },
  participantsOf: (config) => scheduleOf(config).teams.map(({ slug }) => slug),
  factsOf: ({ config, matchId }) =>
    simulateMatch(optionsOf(config, matchId)).map((fact) => ({ offsetMs: fact.offsetMs, at: (times) => toFeedEvent(fact, times) })),
  cancelled: (matchId, times) => ({ id: factId("sim:cancelled"), matchId, source: "main", ...times, type: "Cancelled", payload: {} }),
}
