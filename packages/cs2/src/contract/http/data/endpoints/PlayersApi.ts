/** Endpoints for players. Their transfers are in `TransfersApi`. */
import { NoMeta, success, wholeNumber } from "@matchpoint/contracts/http/envelope"
import { NotFound } from "@matchpoint/contracts/http/errors"
import { FollowsSlugs } from "@matchpoint/contracts/http/FormerSlug"
import { archiveErrors, CursorPaging, cursorQuery, describe, rangeQuery } from "@matchpoint/contracts/http/listing"
import { sectionReads } from "@matchpoint/contracts/http/sectionReads"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Player } from "../models.ts"
import { PlayerCareer, PlayerProfile, PlayerSeasons, PlayerStats } from "../playerModels.ts"
import { CountryCode, PlainText, PlayerReference, SearchText, TeamReference } from "../references.ts"

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
  map: Schema.optionalKey(PlainText.annotate({ description: "Only this map, for example `de_mirage`" })),
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
    })
      .annotate(FollowsSlugs, true)
      .annotateMerge(describe("One player", `Profile, current team, totals and recent matches. ${historyNote}`)),
    HttpApiEndpoint.get("stats", "/cs2/players/:playerIdOrSlug/stats", {
      params: { playerIdOrSlug: PlayerReference },
      query: playerStatsQuery,
      success: success(PlayerStats, CursorPaging),
      error: [...archiveErrors, NotFound],
    })
      .annotate(FollowsSlugs, true)
      .annotateMerge(
        describe(
          "Totals and lines",
          `What his lines sum up to, and the lines themselves, newest first, by page; both of the maps that \`from\`, \`to\`, \`map\` and \`team\` keep. ${historyNote} \`limit\` is at most 100.`,
        ),
      ),
    HttpApiEndpoint.get("career", "/cs2/players/:playerId/career", {
      params: { playerId: PlayerReference },
      success: success(PlayerCareer, NoMeta),
      error: [...archiveErrors, NotFound],
    })
      .annotate(FollowsSlugs, true)
      .annotateMerge(describe("Career", `Totals, and the same by team, by map and by event. ${historyNote}`)),
    HttpApiEndpoint.get("seasons", "/cs2/players/:playerId/seasons", {
      params: { playerId: PlayerReference },
      success: success(PlayerSeasons, NoMeta),
      error: [...archiveErrors, NotFound],
    })
      .annotate(FollowsSlugs, true)
      .annotateMerge(describe("Seasons", `Totals of every year. ${historyNote}`)),
  )
  .pipe(sectionReads("cs2"))
  .annotateMerge(OpenApi.annotations({ title: "CS2 players", description: "Players, their careers and their statistics." })) {}
