import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import {
  announced,
  announcedEndpoints,
  announcedGroups,
  announcedMatches,
  liveMatchFields,
  PathText,
  undecided,
  undecidedList,
} from "./announcedEndpoints.ts"

export const ValorantLiveMatch = Schema.Struct({
  ...liveMatchFields({
    name: Schema.String,
    agent: Schema.String,
    kills: Schema.Natural,
    deaths: Schema.Natural,
    assists: Schema.Natural,
  }),
  currentMap: Schema.NullOr(
    Schema.Struct({
      number: Schema.Natural,
      name: Schema.String,
      round: Schema.Natural,
      score: Schema.Array(Schema.Natural).annotate({ description: "Rounds won, in the order of `teams`" }),
    }),
  ),
}).annotate({ identifier: "ValorantLiveMatch" })

const live = announcedMatches(ValorantLiveMatch)

/** All names of teams, players and tournaments are invented. */
const valorantExample: typeof live.success.Type = {
  success: true,
  data: [
    {
      id: "valorant-match-1",
      tournament: "Invented Masters",
      teams: [
        { name: "Northern Lights", score: 1, players: [{ name: "Aster", agent: "Jett", kills: 17, deaths: 11, assists: 4 }] },
        { name: "Harbour Foxes", score: 0, players: [{ name: "Cato", agent: "Omen", kills: 13, deaths: 14, assists: 6 }] },
      ],
      status: "live",
      bestOf: 3,
      currentMap: { number: 2, name: "Ascent", round: 18, score: [10, 7] },
    },
  ],
  meta: {},
}

const shared = announcedEndpoints("valorant", "Valorant", ValorantLiveMatch)

const groups = announcedGroups("valorant", "Valorant", valorantExample, [
  shared.liveMatches,
  shared.match,
  shared.player,
  shared.tournaments,
  HttpApiEndpoint.get("tournament", "/valorant/tournaments/:id", { params: { id: PathText }, ...undecided }).annotateMerge(
    announced("Valorant tournament", "One tournament."),
  ),
  shared.teams,
  shared.team,
  HttpApiEndpoint.get("leaderboard", "/valorant/leaderboards/:region", {
    params: { region: PathText },
    ...undecidedList,
  }).annotateMerge(announced("Valorant leaderboard", "Best players of a region.")),
])

export class ValorantApi extends groups.current {}

/** The same endpoints below `/v1`. */
export class ValorantV1Api extends groups.v1 {}
