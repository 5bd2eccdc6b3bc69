/** Matches of the archive and the schedule. A match in progress is only `live` here; the live section has the details. */
import { NoMeta, paging, success, wholeNumber } from "@matchpoint/contracts/http/envelope"
import { NotFound, ValidationError } from "@matchpoint/contracts/http/errors"
import { archiveErrors, CursorPaging, cursorQuery, describe, limitOf, pagedQuery, rangeQuery } from "@matchpoint/contracts/http/listing"
import { sectionReads } from "@matchpoint/contracts/http/sectionReads"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { MatchId } from "../../../../rules/ids.ts"
import { GamePlayerStats, GameScore, MapOfMatch } from "../gameModels.ts"
import { Demo, MatchDetail, MatchResult, TeamsHeadToHead } from "../matchModels.ts"
import { availability, EventTier, MatchStatus, MatchSummary } from "../models.ts"
import { EventReference, TeamReference } from "../references.ts"

/** `team` and `event` are ids or slugs. */
export const matchFilters = {
  ...cursorQuery,
  ...rangeQuery,
  team: Schema.optionalKey(TeamReference),
  event: Schema.optionalKey(EventReference),
  tier: Schema.optionalKey(EventTier.annotate({ description: "Only matches of events of this tier" })),
  best_of: Schema.optionalKey(
    wholeNumber({ minimum: 1 }).annotate({
      description: "Only matches of this length: 1, 3 or 5 for best of 1, 3 or 5",
    }),
  ),
} as const

/** The status values `scheduled` and `upcoming` mean the same, as in other lists. */
const StatusFilter = Schema.Union([MatchStatus, Schema.Literal("scheduled")])

export const AvailablePaging = Schema.Struct({ ...paging, ...availability })

const listNote = "`limit` is at most 100. `from` and `to` (both inclusive) bound the start. An unknown team or event gives an empty list."
const historyNote = "A match that started before your plan's history is rejected with 403 `HISTORY_LIMIT`."
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
        `Matches of every status, latest start first, with the score of every map. Older matches than your plan's history are left out. ${listNote}`,
      ),
    ),
    HttpApiEndpoint.get("upcoming", "/cs2/matches/upcoming", {
      query: matchFilters,
      success: success(Schema.Array(MatchSummary), CursorPaging),
      error: archiveErrors,
    }).annotateMerge(
      describe(
        "Schedule",
        `Announced matches, earliest start first. Without \`from\`, matches that should have started more than 12 hours ago are left out. ${listNote}`,
      ),
    ),
    HttpApiEndpoint.get("recent", "/cs2/matches/recent", {
      query: matchFilters,
      success: success(Schema.Array(MatchResult), CursorPaging),
      error: archiveErrors,
    }).annotateMerge(
      describe(
        "Results",
        `Finished matches, latest start first, with every map and its score. The result of a live match appears here one to two minutes after its end, on every plan. The live section shows it with the delay of your plan. ${listNote}`,
      ),
    ),
    HttpApiEndpoint.get("byId", "/cs2/matches/:matchId", { ...ofMatch, success: success(MatchDetail, NoMeta) }).annotateMerge(
      describe("One match", `Maps with scores, veto, event, streams, line-ups, and the earlier meetings of the teams. ${historyNote}`),
    ),
    HttpApiEndpoint.get("playerStats", "/cs2/matches/:matchId/player-stats", {
      ...ofMatch,
      query: { ...pagedQuery, limit: limitOf(200) },
      success: success(Schema.Array(GamePlayerStats), AvailablePaging),
    }).annotateMerge(
      describe(
        "Player statistics of a match",
        `One row per player and map: by map, then team 1 first, then best rating first. \`limit\` is at most 200. ${historyNote}`,
      ),
    ),
    HttpApiEndpoint.get("games", "/cs2/matches/:matchId/games", {
      ...ofMatch,
      success: success(Schema.Array(GameScore), AvailablePaging),
    }).annotateMerge(describe("Games of a match", `The maps of the match with their ids and scores, in playing order. ${historyNote}`)),
    HttpApiEndpoint.get("maps", "/cs2/matches/:matchId/maps", {
      ...ofMatch,
      success: success(Schema.Array(MapOfMatch), AvailablePaging),
    }).annotateMerge(
      describe(
        "Maps of a match",
        `The maps of the match with player statistics, bomb events and weapons, in playing order. ${historyNote}`,
      ),
    ),
    HttpApiEndpoint.get("demos", "/cs2/matches/:matchId/demos", {
      ...ofMatch,
      success: success(Schema.Array(Demo), AvailablePaging),
    }).annotateMerge(describe("Demos of a match", `Download links of the demos. ${historyNote}`)),
    HttpApiEndpoint.get("headToHead", "/cs2/head-to-head", {
      query: {
        ...rangeQuery,
        team1: TeamReference,
        team2: TeamReference,
      },
      success: success(TeamsHeadToHead, NoMeta),
      error: [...archiveErrors, NotFound, ValidationError],
    }).annotateMerge(
      describe("Head-to-head", "Matches between two teams, with their record on each map, within your plan's history and from `from` on."),
    ),
  )
  .pipe(sectionReads("cs2"))
  .annotateMerge(OpenApi.annotations({ title: "CS2 matches", description: "Schedule and results." })) {}
