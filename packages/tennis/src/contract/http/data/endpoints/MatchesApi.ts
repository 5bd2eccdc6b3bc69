/** Archived matches. The live section has the matches in progress. */
import { NoMeta, success } from "@matchpoint/contracts/http/envelope"
import { NotFound, UnknownValue } from "@matchpoint/contracts/http/errors"
import { DayParameter } from "@matchpoint/contracts/http/instants"
import { archiveErrors, CursorPaging, cursorQuery, describe } from "@matchpoint/contracts/http/listing"
import { sectionReads } from "@matchpoint/contracts/http/sectionReads"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { SummariesReady } from "../../SummariesReady.ts"
import { archiveLimits, playerMatchFilters } from "../archiveFilters.ts"
import { TennisMatchDetail, TennisMatchStats } from "../matchDetailModels.ts"
import { DayPaging, TennisMatch } from "../matchModels.ts"
import { TennisMatchId, TennisPlayerId, TourParameter } from "../references.ts"

const list = { success: success(Schema.Array(TennisMatch), CursorPaging), error: archiveErrors } as const
const ofMatch = { params: { matchId: TennisMatchId }, error: [...archiveErrors, NotFound] } as const

const listNote = `\`limit\` is at most ${archiveLimits.matches}. Older matches than your plan's history are left out.`
const historyNote = "A match before your plan's history is rejected with 403 `HISTORY_LIMIT`."

export class TennisMatchesApi extends HttpApiGroup.make("tennis-matches")
  .add(
    HttpApiEndpoint.get("list", "/tennis/matches", {
      query: { ...playerMatchFilters, player_id: Schema.optionalKey(TennisPlayerId), tour: Schema.optionalKey(TourParameter) },
      success: list.success,
      error: [...list.error, UnknownValue],
    }).annotateMerge(
      describe(
        "Archived tennis matches",
        `Singles matches since 1877, newest first. \`opponent_id\` needs \`player_id\`. \`year\` is the year of \`date\`, which is the first day of the tournament if \`date_is_tournament_start\` is true. ${listNote}`,
      ),
    ),
    HttpApiEndpoint.get("recent", "/tennis/matches/recent", {
      query: { ...cursorQuery, tour: Schema.optionalKey(TourParameter) },
      ...list,
    }).annotateMerge(
      describe(
        "Latest tennis results",
        `Finished matches of the 14 days before the newest match of the archive, newest first. ${listNote}`,
      ),
    ),
    HttpApiEndpoint.get("completed", "/tennis/matches/completed", {
      query: { ...cursorQuery, date: DayParameter },
      success: success(Schema.Array(TennisMatch), DayPaging),
      error: list.error,
    }).annotateMerge(
      describe(
        "Tennis results of a day",
        `Finished matches that were played on this day, if a source gave their day, see \`date_source\`. Matches of which only the tournament's first day is known are not listed: \`meta.matches_without_day\` counts those whose tournament started on this day. ${listNote}`,
      ),
    ),
    HttpApiEndpoint.get("byId", "/tennis/matches/:matchId", { ...ofMatch, success: success(TennisMatchDetail, NoMeta) }).annotateMerge(
      describe("One tennis match", `Players, set lines and the box score. ${historyNote}`),
    ),
    HttpApiEndpoint.get("stats", "/tennis/matches/:matchId/stats", {
      ...ofMatch,
      success: success(TennisMatchStats, NoMeta),
    }).annotateMerge(
      describe(
        "Statistics of a tennis match",
        `Serve and return statistics of both players. If the archive has none, \`statistics\` is null and \`statistics_reason\` states why. ${historyNote}`,
      ),
    ),
  )
  .middleware(SummariesReady)
  .pipe(sectionReads("tennis"))
  .annotateMerge(OpenApi.annotations({ title: "Tennis matches", description: "The archive of singles matches." })) {}
