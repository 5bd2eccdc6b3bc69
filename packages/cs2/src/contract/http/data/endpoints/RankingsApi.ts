/** World ranking and regional standings of teams, by date, each with the change since the previous one. */
import { success } from "@matchpoint/contracts/http/envelope"
import { archiveErrors, describe } from "@matchpoint/contracts/http/listing"
import { sectionReads } from "@matchpoint/contracts/http/sectionReads"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { RankedTeam, RankingMeta, rankingQuery } from "../rankingModels.ts"

const ranking = {
  query: rankingQuery,
  success: success(Schema.Array(RankedTeam), RankingMeta),
  error: archiveErrors,
} as const

const COMMON =
  "`date` selects the ranking in force on that date. Movement is relative to the previous ranking. With `source=world`, `region` selects the " +
  "teams of that region, with their world ranks. With `source=vrs`, it selects the standings of that region. Every plan includes the newest ranking. " +
  "Older rankings require a plan whose history reaches back that far. `limit` is at most 500."

export class RankingsApi extends HttpApiGroup.make("cs2-rankings")
  .add(
    HttpApiEndpoint.get("rankings", "/cs2/rankings", ranking).annotateMerge(
      describe(
        "World ranking",
        `The world ranking. \`source=vrs\` selects the regional standings. \`region\` without \`source\` selects the standings of that region. ${COMMON}`,
      ),
    ),
    HttpApiEndpoint.get("teams", "/cs2/rankings/teams", ranking).annotateMerge(
      describe(
        "Team rankings",
        `The regional standings. \`source=world\` selects the world ranking. \`team\` returns the rank of one team. ${COMMON}`,
      ),
    ),
  )
  .pipe(sectionReads("cs2"))
  .annotateMerge(OpenApi.annotations({ title: "CS2 rankings", description: "World and regional rankings of teams, by date." })) {}
