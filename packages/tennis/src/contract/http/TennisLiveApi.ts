/**
 * Endpoints about matches in progress. The last three also serve archived matches. The long-lived channels are those of
 * every game: `/tennis/live/ws`, `/tennis/live/stream` and `/tennis/live/{id}/replay`.
 */
import { NeverReused } from "@matchpoint/contracts/http/ConditionalGet"
import { NoMeta, Paging, pageQuery, success } from "@matchpoint/contracts/http/envelope"
import { HistoryLimit, MatchNotFound, NotFound, ServiceUnavailable } from "@matchpoint/contracts/http/errors"
import { describe } from "@matchpoint/contracts/http/listing"
import { gameLiveList } from "@matchpoint/contracts/http/live/AllLiveApi"
import { sectionReads } from "@matchpoint/contracts/http/sectionReads"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { LiveTennisMatch } from "../LiveTennisMatch.ts"
import { LiveTennisRow } from "../tennisLive.ts"
import { TennisMatchId, TourParameter } from "./data/references.ts"
import { TennisMatchStatus, TennisTimeline, TournamentLink } from "./liveModels.ts"
import { SummariesReady } from "./SummariesReady.ts"

/** Larger values of `limit` are reduced to it. */
export const TENNIS_LIVE_LIMIT = 100

const params = { matchId: TennisMatchId }
const errors = [NotFound, HistoryLimit, ServiceUnavailable] as const

export class TennisLiveApi extends HttpApiGroup.make("tennis-live")
  .add(
    gameLiveList("tennis"),
    HttpApiEndpoint.get("list", "/tennis/matches/live", {
      query: { ...pageQuery, tour: Schema.optionalKey(TourParameter) },
      success: success(Schema.Array(LiveTennisRow), Paging),
    }).annotateMerge(describe("Matches in progress", "Score, server and points of every match in progress. `limit` is at most 100.")),
    HttpApiEndpoint.get("one", "/tennis/matches/live/:matchId", {
      params,
      success: success(LiveTennisMatch, NoMeta),
      error: MatchNotFound,
    }).annotateMerge(
      describe("One live match", "Sets, games, points, server, momentum and statistics. A match stays here for some time after its end."),
    ),
    HttpApiEndpoint.get("status", "/tennis/matches/:matchId/status", {
      params,
      success: success(TennisMatchStatus, NoMeta),
      error: errors,
    }).annotateMerge(describe("Status of a match", "For live and archived matches. `is_final` is true if the result no longer changes.")),
    HttpApiEndpoint.get("timeline", "/tennis/matches/:matchId/timeline", {
      params,
      success: success(TennisTimeline, NoMeta),
      error: errors,
    }).annotateMerge(
      describe("Timeline of a match", "Start, sets and end. `coverage.point_history` states whether single points are available."),
    ),
    HttpApiEndpoint.get("tournamentLink", "/tennis/matches/:matchId/tournament-link", {
      params,
      success: success(TournamentLink, NoMeta),
      error: errors,
    })
      .middleware(SummariesReady)
      .annotateMerge(
        describe(
          "Tournament of a match",
          "If a match is not linked to a tournament of the archive, `tournament_id` is null and `reason` states why. It is never guessed.",
        ),
      ),
  )
  .annotate(NeverReused, true)
  .pipe(sectionReads("tennis"))
  .annotateMerge(
    OpenApi.annotations({ title: "Tennis live", description: "Tennis matches in progress, and status and timeline of every match." }),
  ) {}
