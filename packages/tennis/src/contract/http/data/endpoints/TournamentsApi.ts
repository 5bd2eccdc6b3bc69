/**
 * Plans limit how far back data is accessible. A tournament that started before that time is omitted from lists, and a
 * request for it by id is rejected.
 */
import { NoMeta, success } from "@matchpoint/contracts/http/envelope"
import { NotCovered, NotFound, UnknownValue } from "@matchpoint/contracts/http/errors"
import { archiveErrors, CursorPaging, cursorQuery, describe } from "@matchpoint/contracts/http/listing"
import { sectionReads } from "@matchpoint/contracts/http/sectionReads"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { SummariesReady } from "../../SummariesReady.ts"
import { TennisDraw } from "../drawModels.ts"
import { TournamentReference } from "../references.ts"
import {
  calendarQuery,
  competitionListQuery,
  DaySchedule,
  DrawMeta,
  EditionYear,
  ScheduledMatch,
  scheduleQuery,
  TennisCalendar,
  TennisCompetition,
  TennisTournament,
  TournamentProfile,
  tournamentListQuery,
} from "../tournamentModels.ts"

const params = { tournamentId: TournamentReference } as const

const draw = { success: success(TennisDraw, DrawMeta) } as const

const drawNote =
  "Reconstructed from the matches: the winner of a match plays in the next round. Matches that the archive lacks are places without a match, with a reason. The order from top to bottom follows the match numbers and may differ from the printed draw. Team competitions have no draw."

export class TournamentsApi extends HttpApiGroup.make("tennis-tournaments")
  .add(
    HttpApiEndpoint.get("list", "/tennis/tournaments", {
      query: tournamentListQuery,
      success: success(Schema.Array(TennisTournament), CursorPaging),
      error: [...archiveErrors, UnknownValue],
    }).annotateMerge(
      describe(
        "Tournaments",
        "Newest start first. `q` also finds former names of the same competition. An unknown surface is rejected with 422. `limit` is at most 100.",
      ),
    ),
    HttpApiEndpoint.get("calendar", "/tennis/tournaments/calendar", {
      query: calendarQuery,
      success: success(TennisCalendar, CursorPaging),
      error: [...archiveErrors, UnknownValue],
    }).annotateMerge(
      describe(
        "Season calendar",
        "Tournaments of a season, earliest start first, grouped by month or week of their start. Paging counts tournaments. `limit` is at most 100.",
      ),
    ),
    HttpApiEndpoint.get("one", "/tennis/tournaments/:tournamentId", {
      params,
      success: success(TournamentProfile, NoMeta),
      error: [...archiveErrors, NotFound],
    }).annotateMerge(
      describe(
        "One tournament",
        "By the id of a tournament in one year, or by the id of a competition: then the newest tournament, with the list of all of them and their champions.",
      ),
    ),
    HttpApiEndpoint.get("draw", "/tennis/tournaments/:tournamentId/draw", {
      params,
      ...draw,
      error: [...archiveErrors, NotFound],
    }).annotateMerge(describe("Draw", drawNote)),
    HttpApiEndpoint.get("bracket", "/tennis/tournaments/:tournamentId/bracket", {
      params,
      ...draw,
      error: [...archiveErrors, NotFound],
    }).annotateMerge(describe("Bracket", `Alias of the draw. ${drawNote}`)),
    HttpApiEndpoint.get("editionDraw", "/tennis/tournaments/:tournamentId/editions/:year/draw", {
      params: { ...params, year: EditionYear },
      ...draw,
      error: [...archiveErrors, NotFound, NotCovered],
    }).annotateMerge(
      describe(
        "Historical draw",
        `Draw of the competition in a year, also if \`tournamentId\` names a tournament of another year. A year without a tournament answers 404 with the valid years. ${drawNote}`,
      ),
    ),
    HttpApiEndpoint.get("tournamentSchedule", "/tennis/tournaments/:tournamentId/schedule", {
      params,
      query: cursorQuery,
      success: success(Schema.Array(ScheduledMatch), CursorPaging),
      error: [...archiveErrors, NotFound],
    }).annotateMerge(describe("Matches of a tournament", "Matches by date, then by round. `limit` is at most 100.")),
    HttpApiEndpoint.get("competitions", "/tennis/competitions", {
      query: competitionListQuery,
      success: success(Schema.Array(TennisCompetition), CursorPaging),
      error: archiveErrors,
    }).annotateMerge(
      describe(
        "Competitions",
        "Tournaments that are held again, most tournaments first. Numbers and titles count tournaments within your plan's history. `limit` is at most 100.",
      ),
    ),
    HttpApiEndpoint.get("schedule", "/tennis/schedule", {
      query: scheduleQuery,
      success: success(DaySchedule, CursorPaging),
      error: archiveErrors,
    }).annotateMerge(
      describe(
        "Matches of a day",
        "Matches of all circuits on a day, by tour, and live matches that are not in the archive yet. Archived matches whose source gave no day are not listed; the tournaments that start on the day are listed instead. Paging counts archived matches. `limit` is at most 100.",
      ),
    ),
  )
  .middleware(SummariesReady)
  .pipe(sectionReads("tennis"))
  .annotateMerge(
    OpenApi.annotations({ title: "Tennis tournaments", description: "Tournaments, draws, competitions, calendar and schedule." }),
  ) {}
