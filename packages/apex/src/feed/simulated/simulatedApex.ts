import { scheduledGame, scheduleFields } from "@matchpoint/game/feed/simulated/scheduledGame"
import { Schema } from "effect"
import { decodeFeedEvent } from "../../contract/feed.ts"
import { APEX } from "../../rules/game.ts"
import { GENERATOR_VERSION, simulateLobby } from "../../simulator/live/simulateLobby.ts"
import { toFeedEvent } from "../../simulator/live/timedFact.ts"
import { MOST_LOBBIES, scheduledLobby } from "../../simulator/live/world.ts"
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
