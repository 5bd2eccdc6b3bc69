/** Endpoints for teams. Their roster history is in `TransfersApi`. */
import { NoMeta, success } from "@matchpoint/contracts/http/envelope"
import { NotFound } from "@matchpoint/contracts/http/errors"
import { FollowsSlugs } from "@matchpoint/contracts/http/FormerSlug"
import { archiveErrors, CursorPaging, cursorQuery, describe, Flag, rangeQuery } from "@matchpoint/contracts/http/listing"
import { sectionReads } from "@matchpoint/contracts/http/sectionReads"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Team } from "../models.ts"
import { CountryCode, PlainText, SearchText, TeamReference } from "../references.ts"
import { TeamProfile, TeamTrends, TrendUnit } from "../teamModels.ts"

export const teamListQuery = {
  ...cursorQuery,
  q: Schema.optionalKey(SearchText),
  region: Schema.optionalKey(
    PlainText.annotate({ description: "Only teams of this region, an id of `/cs2/regions`: `europe`, `north-america`, …" }),
  ),
  country: Schema.optionalKey(CountryCode),
  ranked: Schema.optionalKey(Flag.annotate({ description: "true: only teams with a world ranking. false: only teams without one" })),
  sort: Schema.optionalKey(Schema.Literals(["ranking", "name"])),
} as const

export class TeamsApi extends HttpApiGroup.make("cs2-teams")
  .add(
    HttpApiEndpoint.get("list", "/cs2/teams", {
      query: teamListQuery,
      success: success(Schema.Array(Team), CursorPaging),
      error: archiveErrors,
    }).annotateMerge(
      describe("Teams", "Teams by world ranking; teams without one come last. `sort=name` sorts by name. `limit` is at most 100."),
    ),
    HttpApiEndpoint.get("one", "/cs2/teams/:teamIdOrSlug", {
      params: { teamIdOrSlug: TeamReference },
      success: success(TeamProfile, NoMeta),
      error: [...archiveErrors, NotFound],
    })
      .annotate(FollowsSlugs, true)
      .annotateMerge(
        describe(
          "One team",
          "Roster (players and coach), form, record, recent results and the next matches. Results count as far back as your plan looks.",
        ),
      ),
    HttpApiEndpoint.get("trends", "/cs2/teams/:teamId/trends", {
      params: { teamId: TeamReference },
      query: { ...rangeQuery, unit: Schema.optionalKey(TrendUnit.annotate({ description: "Length of a period. Default `month`" })) },
      success: success(TeamTrends, NoMeta),
      error: [...archiveErrors, NotFound],
    })
      .annotate(FollowsSlugs, true)
      .annotateMerge(
        describe(
          "How a team does over time",
          "Matches, win rates, maps, rounds and rating by `unit`, `month` (default) or `quarter`, and map by map over all of them. `from` and `to` are inclusive; without `from`, as far back as your plan looks.",
        ),
      ),
  )
  .pipe(sectionReads("cs2"))
  .annotateMerge(OpenApi.annotations({ title: "CS2 teams", description: "Teams, their rosters and their results over time." })) {}
