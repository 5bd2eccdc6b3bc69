/**
 * Simulated Apex lobbies: the configuration that is stored with a lobby, and the functions that generate the lobby again
 * from it.
 */
import { decodeFeedEvent } from "@matchpoint/contracts/apex/feed"
import { APEX } from "@matchpoint/domain/apex/game"
import { GENERATOR_VERSION, simulateLobby } from "@matchpoint/simulator/apex/live/simulateLobby"
import { toFeedEvent } from "@matchpoint/simulator/apex/live/timedFact"
import { MOST_LOBBIES, scheduledLobby } from "@matchpoint/simulator/apex/live/world"
import { Schema } from "effect"
import { scheduledGame, scheduleFields } from "../../simulated/scheduledGame.ts"
import { registeredLobby } from "../intake/registration.ts"

/** `year` is the year of the tournament. */
const Config = Schema.Struct({ ...scheduleFields, year: Schema.Natural })

export const simulatedApex = scheduledGame({
  game: APEX,
  generator: GENERATOR_VERSION,
  mostAtOnce: MOST_LOBBIES,
  decodeEvent: decodeFeedEvent,
  config: Config,
  editionAt: (now) => ({ year: new Date(now).getUTCFullYear() }),
  scheduleOf: ({ number, seed, year }) => scheduledLobby(seed, number, year),
  registered: ({ lobby }) => registeredLobby(lobby),
  participantsOf: ({ squads }) => squads.map(({ id }) => id),
  simulate: simulateLobby,
  toFeedEvent,
})
