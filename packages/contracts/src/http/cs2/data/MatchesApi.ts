/** Matches of the archive and the schedule. Maps of a match, their rounds and players are `GamesApi`'s. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "../../Authentication.ts"
import { ConditionalGet } from "../../ConditionalGet.ts"
import { Paging, success } from "../../envelope.ts"
import { Metering, Section } from "../../Metering.ts"
import { RequestRules } from "../../RequestRules.ts"
import { archiveErrors, describe, offsetQuery, rangeQuery } from "./listing.ts"
import { MatchSummary } from "./models.ts"

/** `team` and `event`: an id or a slug. */
export const matchFilters = {
  ...offsetQuery,
  ...rangeQuery,
  team: Schema.optionalKey(Schema.String.annotate({ description: "Matches of this team: its id or slug" })),
  event: Schema.optionalKey(Schema.String.annotate({ description: "Matches of this event: its id or slug" })),
} as const

export class MatchesApi extends HttpApiGroup.make("cs2-matches")
  .add(
    HttpApiEndpoint.get("upcoming", "/cs2/matches/upcoming", {
      query: matchFilters,
      success: success(Schema.Array(MatchSummary), Paging),
      error: archiveErrors,
    }).annotateMerge(describe("Schedule", "Announced matches, soonest first. `limit` is at most 100.")),
  )
  .annotate(Section, "cs2")
  .middleware(ConditionalGet)
  .middleware(Metering)
  .middleware(Authentication)
  .middleware(RequestRules)
  .annotateMerge(OpenApi.annotations({ title: "CS2 matches", description: "Schedule and results." })) {}
