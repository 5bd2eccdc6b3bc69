/**
 * Matches of the archive and the schedule. Rounds and events of a map are `GamesApi`'s; a match while it is played is the live
 * section's: here it says `live` and no more.
 */
import { MatchId } from "@matchpoint/domain/cs2/ids"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "../../../Authentication.ts"
import { ConditionalGet } from "../../../ConditionalGet.ts"
import { NoMeta, paging, success, wholeNumber } from "../../../envelope.ts"
import { NotFound, ValidationError } from "../../../errors.ts"
import { archiveErrors, CursorPaging, cursorQuery, describe, limitOf, pagedQuery, rangeQuery } from "../../../listing.ts"
import { Metering, Section } from "../../../Metering.ts"
import { RequestRules } from "../../../RequestRules.ts"
import { GamePlayerStats, GameScore, MapOfMatch } from "../gameModels.ts"
import { Demo, MatchDetail, MatchResult, TeamsHeadToHead } from "../matchModels.ts"
import { availability, EventTier, MatchStatus, MatchSummary } from "../models.ts"
import { EventReference, TeamReference } from "../references.ts"

/** `team` and `event`: an id or a slug. */
export const matchFilters = {
  ...cursorQuery,
  ...rangeQuery,
  team: Schema.optionalKey(TeamReference),
  event: Schema.optionalKey(EventReference),
  tier: Schema.optionalKey(EventTier.annotate({ description: "Matches of events of this tier" })),
  best_of: Schema.optionalKey(
    wholeNumber({ minimum: 1 }).annotate({
      description: "Best of 1, 3, 5",
    }),
  ),
} as const

/** Upcoming matches are called `scheduled` in other listings. */
const StatusFilter = Schema.Union([MatchStatus, Schema.Literal("scheduled")])

export const AvailablePaging = Schema.Struct({ ...paging, ...availability })

const listNote = "`limit` is at most 100. `from` and `to` are about the start, inclusive. A team or event that is not known has no matches."
const historyNote = "A match that began before your plan's history answers 403 `HISTORY_LIMIT`."
const ofMatch = { params: { matchId: MatchId }, error: [...archiveErrors, NotFound] } as const

export class MatchesApi extends HttpApiGroup.make("cs2-matches")
  .add(
    HttpApiEndpoint.get("list", "/cs2/matches", {
      query: { ...matchFilters, status: Schema.optionalKey(StatusFilter) },
      success: success(Schema.Array(MatchResult), CursorPaging),
      error: archiveErrors,
    }).annotateMerge(
      describe(
        "Matches",
        `Matches of every status, the latest start first, with the score of every map. Lists begin where your plan's history does. ${listNote}`,
      ),
    ),
    HttpApiEndpoint.get("upcoming", "/cs2/matches/upcoming", {
      query: matchFilters,
      success: success(Schema.Array(MatchSummary), CursorPaging),
      error: archiveErrors,
    }).annotateMerge(
      describe(
        "Schedule",
        `Announced matches, soonest first. Without \`from\`, those that should have begun more than 12 hours ago are left out. ${listNote}`,
      ),
    ),
    HttpApiEndpoint.get("recent", "/cs2/matches/recent", {
      query: matchFilters,
      success: success(Schema.Array(MatchResult), CursorPaging),
      error: archiveErrors,
    }).annotateMerge(
      describe(
        "Results",
        `Matches that are over, the latest start first, with every map and its score. The result of a match followed live is here one to two minutes after its end, on every plan; the live section tells it as your plan hears it. ${listNote}`,
      ),
    ),
    HttpApiEndpoint.get("byId", "/cs2/matches/:matchId", { ...ofMatch, success: success(MatchDetail, NoMeta) }).annotateMerge(
      describe("A match", `Maps with scores, veto, event, streams, line-ups, and the head-to-head before it. ${historyNote}`),
    ),
    HttpApiEndpoint.get("playerStats", "/cs2/matches/:matchId/player-stats", {
      ...ofMatch,
      query: { ...pagedQuery, limit: limitOf(200) },
      success: success(Schema.Array(GamePlayerStats), AvailablePaging),
    }).annotateMerge(
      describe(
        "Player lines of a match",
        `One row per player and map: by map, team 1 first, best rating first. \`limit\` is at most 200. ${historyNote}`,
      ),
    ),
    HttpApiEndpoint.get("games", "/cs2/matches/:matchId/games", {
      ...ofMatch,
      success: success(Schema.Array(GameScore), AvailablePaging),
    }).annotateMerge(describe("Games of a match", `Its maps with their ids and scores, in playing order. ${historyNote}`)),
    HttpApiEndpoint.get("maps", "/cs2/matches/:matchId/maps", {
      ...ofMatch,
      success: success(Schema.Array(MapOfMatch), AvailablePaging),
    }).annotateMerge(describe("Maps of a match", `Its maps with player lines, bombs and weapons, in playing order. ${historyNote}`)),
    HttpApiEndpoint.get("demos", "/cs2/matches/:matchId/demos", {
      ...ofMatch,
      success: success(Schema.Array(Demo), AvailablePaging),
    }).annotateMerge(describe("Demos of a match", `Where its demos are to be had. ${historyNote}`)),
    HttpApiEndpoint.get("headToHead", "/cs2/head-to-head", {
      query: {
        ...rangeQuery,
        team1: TeamReference,
        team2: TeamReference,
      },
      success: success(TeamsHeadToHead, NoMeta),
      error: [...archiveErrors, NotFound, ValidationError],
    }).annotateMerge(
      describe("Head-to-head", "What two teams have played against each other, map by map, as far back as your plan's history or `from`."),
    ),
  )
  .annotate(Section, "cs2")
  .middleware(ConditionalGet)
  .middleware(Metering)
  .middleware(Authentication)
  .middleware(RequestRules)
  .annotateMerge(OpenApi.annotations({ title: "CS2 matches", description: "Schedule and results." })) {}
