/**
 * Simulated tennis matches: the configuration that is stored with a match, and the functions that generate the match
 * again from it.
 */
import { decodeFeedEvent } from "@matchpoint/contracts/tennis/feed"
import { TENNIS } from "@matchpoint/domain/tennis/game"
import { GENERATOR_VERSION, simulateMatch } from "@matchpoint/simulator/tennis/live/simulateMatch"
import { toFeedEvent } from "@matchpoint/simulator/tennis/live/timedFact"
import { MOST_MATCHES, scheduledMatch } from "@matchpoint/simulator/tennis/live/world"
import { Schema } from "effect"
import { scheduledGame, scheduleFields } from "../../simulated/scheduledGame.ts"
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
