/** Standings and schedule. Each path has an alias. */
import { NotCovered, UnknownValue } from "@matchpoint/contracts/http/errors"
import { archiveErrors, describe, Flag } from "@matchpoint/contracts/http/listing"
import { sectionReads } from "@matchpoint/contracts/http/sectionReads"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { CodSchedule, CodStandings } from "../leagueModels.ts"
import { choiceText, MATCH_LIMITS, matchPages, SeasonParameter } from "../references.ts"

export const standingsQuery = {
  season: Schema.optionalKey(SeasonParameter.annotate({ description: "Year in which the season ends. Default: the newest season" })),
  stage: Schema.optionalKey(choiceText("Part of the season, such as `stage-1`. Default: the whole season")),
} as const

export const scheduleQuery = {
  ...matchPages,
  upcoming: Schema.optionalKey(
    Flag.annotate({ description: "Default true: only matches that have not ended. `false`: all matches of the newest season" }),
  ),
} as const

const standings = { query: standingsQuery, success: CodStandings, error: [...archiveErrors, NotCovered, UnknownValue] } as const
const schedule = { query: scheduleQuery, success: CodSchedule, error: archiveErrors } as const

const standingsText = describe(
  "Standings of the league",
  "All franchises of the season, best first. Only finished matches of league tournaments count. A season that ended before your plan's history is rejected with 403 `HISTORY_LIMIT`.",
)
const scheduleText = describe(
  "Schedule of the league",
  `Matches in the order of their start. \`limit\` is at most ${MATCH_LIMITS.max}. Older matches than your plan's history are left out.`,
)

export class CodLeagueApi extends HttpApiGroup.make("cod-league")
  .add(
    HttpApiEndpoint.get("standings", "/cod/cdl/standings", standings).annotateMerge(standingsText),
    HttpApiEndpoint.get("standingsAlias", "/cod/standings", standings).annotateMerge(standingsText),
    HttpApiEndpoint.get("schedule", "/cod/cdl/schedule", schedule).annotateMerge(scheduleText),
    HttpApiEndpoint.get("scheduleAlias", "/cod/schedule", schedule).annotateMerge(scheduleText),
  )
  .pipe(sectionReads("cod"))
  .annotateMerge(OpenApi.annotations({ title: "Call of Duty League", description: "Standings and schedule." })) {}
