/** Rankings of teams by date, with movement: the world ranking and the regional standings. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Authentication } from "../../../Authentication.ts"
import { ConditionalGet } from "../../../ConditionalGet.ts"
import { success } from "../../../envelope.ts"
import { archiveErrors, describe } from "../../../listing.ts"
import { Metering, Section } from "../../../Metering.ts"
import { RequestRules } from "../../../RequestRules.ts"
import { RankedTeam, RankingMeta, rankingQuery } from "../rankingModels.ts"

const ranking = {
  query: rankingQuery,
  success: success(Schema.Array(RankedTeam), RankingMeta),
  error: archiveErrors,
} as const

const COMMON =
  "`date` picks the ranking in force then; movement is against the one before it. With `source=world`, `region` leaves the teams of that " +
  "region, at their places in the world; with `source=vrs` it picks the region's own standings. The newest ranking is open to every plan, " +
  "older dates to those that look back so far. `limit` is at most 500."

export class RankingsApi extends HttpApiGroup.make("cs2-rankings")
  .add(
    HttpApiEndpoint.get("rankings", "/cs2/rankings", ranking).annotateMerge(
      describe(
        "World ranking",
        `The world ranking; \`source=vrs\` selects the regional standings. Without \`source\` a \`region\` selects its regional standings. ${COMMON}`,
      ),
    ),
    HttpApiEndpoint.get("teams", "/cs2/rankings/teams", ranking).annotateMerge(
      describe(
        "Team rankings",
        `The regional standings, unless \`source=world\` asks for the world ranking. \`team\` finds one team's place. ${COMMON}`,
      ),
    ),
  )
  .annotate(Section, "cs2")
  .middleware(ConditionalGet)
  .middleware(Metering)
  .middleware(Authentication)
  .middleware(RequestRules)
  .annotateMerge(OpenApi.annotations({ title: "CS2 rankings", description: "World and regional rankings of teams, by date." })) {}
