import { scheduledGame, scheduleFields } from "@matchpoint/game/feed/simulated/scheduledGame"
import { Schema } from "effect"
import { decodeFeedEvent } from "../../contract/feed.ts"
import { TENNIS } from "../../rules/game.ts"
import { GENERATOR_VERSION, simulateMatch } from "../../simulator/live/simulateMatch.ts"
import { toFeedEvent } from "../../simulator/live/timedFact.ts"
import { MOST_MATCHES, scheduledMatch } from "../../simulator/live/world.ts"
import { matchTeam } from "../intake/registration.ts"

/** `year` is the year of the tournament. */
const Config = Schema.Struct({ ...scheduleFields, year: Schema.Natural })

export const simulatedTennis = scheduledGame({
  game: TENNIS,
  generator: GENERATOR_VERSION,
  mostAtOnce: MOST_MATCHES,
  decodeEvent: decodeFeedEvent,
  config: Config,
  editionAt: (now) => ({ year: new Date(now).getUTCFullYear() }),
  scheduleOf: ({ number, seed, year }) => scheduledMatch(seed, number, year),
  registered: ({ format, sides }) => ({ bestOf: format.bestOf, team1: matchTeam(sides[0]), team2: matchTeam(sides[1]) }),
  participantsOf: ({ sides }) => sides.flatMap(({ players }) => players.map(({ id, name }) => id ?? name)),
  simulate: simulateMatch,
  toFeedEvent,
})
