/** The announced section of Rocket League, a car-soccer game: planned live matches, players, tournaments and teams. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "../Authentication.ts"
import { API_ROOT } from "../apiRoot.ts"
import { Free, Metering } from "../Metering.ts"
import { QueryRules } from "../QueryRules.ts"
import { RequestRules } from "../RequestRules.ts"
import { ANNOUNCED_ON, Announced } from "./Announced.ts"
import {
  ANNOUNCED_ROOT,
  announced,
  announcedEndpoints,
  announcedMatches,
  liveMatchFields,
  PathText,
  sectionText,
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

/** Planned response of `/rocketleague/matches/live`. All names of teams, players and tournaments are invented. */
export const rocketLeagueExample: typeof live.success.Type = {
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

const groupOf = <const Name extends string>(name: Name, title: string) =>
  HttpApiGroup.make(name)
    .add(
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
    )
    .annotate(Announced, {
      on: ANNOUNCED_ON,
      game: "rocketleague",
      example: { path: `${API_ROOT}/rocketleague/matches/live`, body: rocketLeagueExample },
    })
    .annotateEndpoints(Free, true)
    .middleware(QueryRules)
    .middleware(Metering)
    .middleware(Authentication)
    .middleware(RequestRules)
    .annotateMerge(
      OpenApi.annotations({ title, description: sectionText("live matches, players, tournaments and teams of Rocket League.") }),
    )

export class RocketLeagueApi extends groupOf("rocketleague", "Rocket League") {}

/** The same endpoints below `/v1`. */
export class RocketLeagueV1Api extends groupOf("rocketleague-v1", "Rocket League (v1)").prefix(ANNOUNCED_ROOT) {}
