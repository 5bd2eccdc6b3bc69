/** Players: the list, a profile with the current team, and statistics. `TransfersApi` has the transfers of a player. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "../../../Authentication.ts"
import { ConditionalGet } from "../../../ConditionalGet.ts"
import { NoMeta, success, wholeNumber } from "../../../envelope.ts"
import { NotFound } from "../../../errors.ts"
import { archiveErrors, CursorPaging, cursorQuery, describe, rangeQuery } from "../../../listing.ts"
import { Metering, Section } from "../../../Metering.ts"
import { RequestRules } from "../../../RequestRules.ts"
import { Player } from "../models.ts"
import { PlayerCareer, PlayerProfile, PlayerSeasons, PlayerStats } from "../playerModels.ts"
import { CountryCode, PlayerReference, SearchText, TeamReference, Words } from "../references.ts"

const natural = wholeNumber({ minimum: 0 })

export const playerListQuery = {
  ...cursorQuery,
  q: Schema.optionalKey(SearchText),
  team: Schema.optionalKey(TeamReference),
  country: Schema.optionalKey(CountryCode),
  min_maps: Schema.optionalKey(natural.annotate({ description: "Only players with at least this many maps" })),
  sort: Schema.optionalKey(Schema.Literals(["maps", "rating", "name"])),
} as const

export const playerStatsQuery = {
  ...cursorQuery,
  ...rangeQuery,
  map: Schema.optionalKey(Words.annotate({ description: "Only this map, for example `de_mirage`" })),
  team: Schema.optionalKey(TeamReference),
} as const

const historyNote = "Counts matches within your plan's history."

export class PlayersApi extends HttpApiGroup.make("cs2-players")
  .add(
    HttpApiEndpoint.get("list", "/cs2/players", {
      query: playerListQuery,
      success: success(Schema.Array(Player), CursorPaging),
      error: archiveErrors,
    }).annotateMerge(
      describe(
        "Players",
        "Most maps first. `sort=rating` puts the best rating first and players without a rating last. `sort=name` sorts by nickname. `team` selects players whose current team it is. `limit` is at most 100.",
      ),
    ),
    HttpApiEndpoint.get("one", "/cs2/players/:playerIdOrSlug", {
      params: { playerIdOrSlug: PlayerReference },
      success: success(PlayerProfile, NoMeta),
      error: [...archiveErrors, NotFound],
    }).annotateMerge(describe("One player", `Profile, current team, totals and recent matches. ${historyNote}`)),
    HttpApiEndpoint.get("stats", "/cs2/players/:playerIdOrSlug/stats", {
      params: { playerIdOrSlug: PlayerReference },
      query: playerStatsQuery,
      success: success(PlayerStats, CursorPaging),
      error: [...archiveErrors, NotFound],
    }).annotateMerge(
      describe(
        "Player statistics",
        `Totals of a player, and one page of the player's statistics by map, newest first. Both cover the maps selected by \`from\`, \`to\`, \`map\` and \`team\`. ${historyNote} \`limit\` is at most 100.`,
      ),
    ),
    HttpApiEndpoint.get("career", "/cs2/players/:playerId/career", {
      params: { playerId: PlayerReference },
      success: success(PlayerCareer, NoMeta),
      error: [...archiveErrors, NotFound],
    }).annotateMerge(describe("Career", `Totals of a player, overall and by team, map and event. ${historyNote}`)),
    HttpApiEndpoint.get("seasons", "/cs2/players/:playerId/seasons", {
      params: { playerId: PlayerReference },
      success: success(PlayerSeasons, NoMeta),
      error: [...archiveErrors, NotFound],
    }).annotateMerge(describe("Seasons", `Totals of a player by year. ${historyNote}`)),
  )
  .annotate(Section, "cs2")
  .middleware(ConditionalGet)
  .middleware(Metering)
  .middleware(Authentication)
  .middleware(RequestRules)
  .annotateMerge(OpenApi.annotations({ title: "CS2 players", description: "Players, their careers and their statistics." })) {}
