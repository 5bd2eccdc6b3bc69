import { scheduledGame, scheduleFields } from "@matchpoint/game/feed/simulated/scheduledGame"
import { Schema } from "effect"
import { decodeFeedEvent } from "../../contract/feed.ts"
import { seasonOf } from "../../rules/archive/season.ts"
import { COD } from "../../rules/game.ts"
import { GENERATOR_VERSION, simulateMatch } from "../../simulator/live/simulateMatch.ts"
import { toFeedEvent } from "../../simulator/live/timedFact.ts"
import { MOST_MATCHES, scheduledMatch } from "../../simulator/live/world.ts"
import { matchTeam } from "../intake/registration.ts"

const Config = Schema.Struct({ ...scheduleFields, season: Schema.Natural })

export const simulatedCod = scheduledGame({
  game: COD,
  generator: GENERATOR_VERSION,
  mostAtOnce: MOST_MATCHES,
  decodeEvent: decodeFeedEvent,
  config: Config,
  editionAt: (now) => ({ season: seasonOf(new Date(now).toISOString().slice(0, 10)) }),
  scheduleOf: ({ number, season, seed }) => scheduledMatch(seed, number, season),
  registered: ({ bestOf, teams, tournament }) => ({
    bestOf,
    team1: matchTeam(teams[0]),
    team2: matchTeam(teams[1]),
    // The schedule shows it, see `comingMatches.ts`.
    config: { tournament },
  }),
  participantsOf: ({ teams }) => teams.map(({ slug }) => slug),
  simulate: simulateMatch,
  toFeedEvent,
})
