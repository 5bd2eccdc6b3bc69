/**
 * Simulated Apex lobbies: the configuration that is stored with a lobby, and the functions that generate the lobby again
 * from it.
 */
import { decodeFeedEvent } from "@matchpoint/contracts/apex/feed"
import { APEX } from "@matchpoint/domain/apex/game"
import { factId, type MatchId } from "@matchpoint/domain/ids"
import { GENERATOR_VERSION, type LobbyOptions, simulateLobby } from "@matchpoint/simulator/apex/live/simulateLobby"
import { toFeedEvent } from "@matchpoint/simulator/apex/live/timedFact"
import { type ScheduledLobby, scheduledLobby } from "@matchpoint/simulator/apex/live/world"
import { Option, Schema } from "effect"
import type { SimulatedGame } from "../../simulated/SimulatedGame.ts"
import { registeredLobby } from "../intake/registration.ts"

/** Configuration from which a lobby can be generated again. */
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

const scheduleOf = ({ number, seed, year }: SimulatedConfig): ScheduledLobby => scheduledLobby(seed, number, year)

export const optionsOf = (config: SimulatedConfig, matchId: MatchId): LobbyOptions => ({ ...scheduleOf(config), matchId })

export const simulatedApex: SimulatedGame<SimulatedConfig> = {
  game: APEX,
  generator: GENERATOR_VERSION,
  decodeEvent: decodeFeedEvent,
  configOf: ({ config }) => Option.map(decodeConfig(config), ({ simulated }) => simulated),
  scheduled: (seed, number, now) => ({ generator: GENERATOR_VERSION, seed, number, year: new Date(now).getUTCFullYear() }),
  registrationOf: (simulated) => ({ ...registeredLobby(scheduleOf(simulated).lobby), config: { simulated } }),
  participantsOf: (config) => scheduleOf(config).squads.map(({ id }) => id),
  factsOf: ({ config, matchId }) =>
    simulateLobby(optionsOf(config, matchId)).map((fact) => ({ offsetMs: fact.offsetMs, at: (times) => toFeedEvent(fact, times) })),
  cancelled: (matchId, times) => ({ id: factId("sim:cancelled"), matchId, source: "main", ...times, type: "Cancelled", payload: {} }),
}
