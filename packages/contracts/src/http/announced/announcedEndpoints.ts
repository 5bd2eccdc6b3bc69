/** Endpoints and schemas that the sections of all announced games share. */
import { StorableText } from "@matchpoint/domain/storableText"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "../Authentication.ts"
import { API_ROOT } from "../apiRoot.ts"
import { NoMeta, success } from "../envelope.ts"
import { NotYetAvailable } from "../errors.ts"
import { describe } from "../listing.ts"
import { Free, Metering } from "../Metering.ts"
import { QueryRules } from "../QueryRules.ts"
import { RequestRules } from "../RequestRules.ts"
import { ANNOUNCED_ON, Announced, announcedText } from "./Announced.ts"

export const PathText = StorableText.check(Schema.isBetweenLength(1, 64))

const UndecidedData = Schema.Record(Schema.String, Schema.Unknown).annotate({
  identifier: "UndecidedData",
  description: "The fields are not decided yet",
})

export const announcedMatches = <Match extends Schema.Top>(match: Match) =>
  ({ success: success(Schema.Array(match), NoMeta), error: NotYetAvailable }) as const

export const announcedMatch = <Match extends Schema.Top>(match: Match) =>
  ({ params: { id: PathText }, success: success(match, NoMeta), error: NotYetAvailable }) as const

/** For fields that are not decided yet. */
export const undecided = { success: success(UndecidedData, NoMeta), error: NotYetAvailable } as const
export const undecidedList = { success: success(Schema.Array(UndecidedData), NoMeta), error: NotYetAvailable } as const

export const announced = (summary: string, planned: string) => describe(`${summary} (announced)`, announcedText(planned))

/** Fields of live matches in all announced games. `player` lists the fields of a player. */
export const liveMatchFields = <Player extends Schema.Struct.Fields>(player: Player) => ({
  id: Schema.String,
  tournament: Schema.NullOr(Schema.String).annotate({ description: "Name of the tournament; null outside of tournaments" }),
  teams: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      score: Schema.Natural.annotate({ description: "Maps or games won in the match" }),
      players: Schema.Array(Schema.Struct(player)),
    }),
  )
    .check(Schema.isBetweenLength(2, 2))
    .annotate({ description: "The two teams" }),
  status: Schema.Literals(["upcoming", "live", "completed"]),
  bestOf: Schema.Natural.annotate({ description: "Largest number of maps or games of the match" }),
})

/** `game` is the first segment of the paths, `title` the name of the game in texts. */
export const announcedEndpoints = <const Game extends string, Match extends Schema.Top>(game: Game, title: string, match: Match) => ({
  liveMatches: HttpApiEndpoint.get("liveMatches", `/${game}/matches/live`, announcedMatches(match)).annotateMerge(
    announced(`Live ${title} matches`, "Matches in progress with scores and players."),
  ),
  match: HttpApiEndpoint.get("match", `/${game}/matches/:id`, announcedMatch(match)).annotateMerge(
    announced(`${title} match`, "One match with scores and players."),
  ),
  player: HttpApiEndpoint.get("player", `/${game}/players/:username`, { params: { username: PathText }, ...undecided }).annotateMerge(
    announced(`${title} player`, "Profile and statistics of a player."),
  ),
  tournaments: HttpApiEndpoint.get("tournaments", `/${game}/tournaments`, undecidedList).annotateMerge(
    announced(`${title} tournaments`, "List of tournaments."),
  ),
  teams: HttpApiEndpoint.get("teams", `/${game}/teams`, undecidedList).annotateMerge(announced(`${title} teams`, "List of teams.")),
  team: HttpApiEndpoint.get("team", `/${game}/teams/:id`, { params: { id: PathText }, ...undecided }).annotateMerge(
    announced(`${title} team`, "One team with its players."),
  ),
})

/**
 * The section below the root of the API and below that of the announcement. `game` is the first segment of the paths,
 * `title` the name of the game in texts, and `example` the planned response of its live matches.
 */
export const announcedGroups = <
  const Game extends string,
  const Endpoints extends readonly [HttpApiEndpoint.Constraint, ...ReadonlyArray<HttpApiEndpoint.Constraint>],
>(
  game: Game,
  title: string,
  example: unknown,
  endpoints: Endpoints,
) => {
  const group = <const Name extends string>(name: Name, tag: string) =>
    HttpApiGroup.make(name)
      .add(...endpoints)
      .annotate(Announced, { on: ANNOUNCED_ON, game, example: { path: `${API_ROOT}/${game}/matches/live`, body: example } })
      .annotateEndpoints(Free, true)
      .middleware(QueryRules)
      .middleware(Metering)
      .middleware(Authentication)
      .middleware(RequestRules)
      .annotateMerge(OpenApi.annotations({ title: tag, description: sectionText(title) }))
  return { current: group(game, title), v1: group(`${game}-v1` as const, `${title} (v1)`).prefix("/v1") }
}

/** Description of a tag of the OpenAPI document. */
const sectionText = (title: string): string =>
  `Announced: live matches, players, tournaments and teams of ${title}. Every request is answered with status 501, the date of the announcement and an example. Requests are free of charge.`
