import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import {
  announced,
  announcedEndpoints,
  announcedGroups,
  announcedMatches,
  liveMatchFields,
  PathText,
  undecidedList,
} from "./announcedEndpoints.ts"

export const RocketLeagueLiveMatch = Schema.Struct({
  ...liveMatchFields({
    name: Schema.String,
    goals: Schema.Natural,
    assists: Schema.Natural,
    saves: Schema.Natural,
    shots: Schema.Natural,
  }),
  currentGame: Schema.NullOr(
    Schema.Struct({
      number: Schema.Natural,
      score: Schema.Array(Schema.Natural).annotate({ description: "Goals, in the order of `teams`" }),
      secondsLeft: Schema.Natural.annotate({ description: "Seconds on the clock; 0 in overtime" }),
      overtime: Schema.Boolean,
    }),
  ),
}).annotate({ identifier: "RocketLeagueLiveMatch" })

const live = announcedMatches(RocketLeagueLiveMatch)

/** All names of teams, players and tournaments are invented. */
const rocketLeagueExample: typeof live.success.Type = {
  success: true,
  data: [
    {
      id: "rocketleague-match-1",
      tournament: "Invented Open",
      teams: [
        { name: "Turbo Owls", score: 2, players: [{ name: "Elm", goals: 2, assists: 0, saves: 1, shots: 4 }] },
        { name: "Desert Comets", score: 1, players: [{ name: "Haze", goals: 1, assists: 0, saves: 2, shots: 3 }] },
      ],
      status: "live",
      bestOf: 7,
      currentGame: { number: 4, score: [2, 1], secondsLeft: 87, overtime: false },
    },
  ],
  meta: {},
}

const shared = announcedEndpoints("rocketleague", "Rocket League", RocketLeagueLiveMatch)

const groups = announcedGroups("rocketleague", "Rocket League", rocketLeagueExample, [
  shared.liveMatches,
  shared.match,
  shared.player,
  shared.tournaments,
  shared.teams,
  shared.team,
  HttpApiEndpoint.get("leaderboard", "/rocketleague/leaderboards/:playlist", {
    params: { playlist: PathText },
    ...undecidedList,
  }).annotateMerge(announced("Rocket League leaderboard", "Best players of a playlist.")),
])

export class RocketLeagueApi extends groups.current {}

/** The same endpoints below `/v1`. */
export class RocketLeagueV1Api extends groups.v1 {}
