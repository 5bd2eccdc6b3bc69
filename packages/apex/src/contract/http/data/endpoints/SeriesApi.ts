import { NeverReused } from "@matchpoint/contracts/http/ConditionalGet"
import { NoMeta, success } from "@matchpoint/contracts/http/envelope"
import { NotFound, UnknownValue } from "@matchpoint/contracts/http/errors"
import { archiveErrors, CursorPaging, cursorQuery, describe } from "@matchpoint/contracts/http/listing"
import { sectionReads } from "@matchpoint/contracts/http/sectionReads"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { EventId, FromParameter, RegionParameter, SeriesId, StatusParameter, TextParameter, ToParameter } from "../references.ts"
import { ApexBans, ApexMatchRow, ApexScores, ApexSeriesRow } from "../seriesModels.ts"

const listQuery = {
  ...cursorQuery,
  status: Schema.optionalKey(StatusParameter),
  region: Schema.optionalKey(RegionParameter),
  tournament: Schema.optionalKey(EventId),
  from: Schema.optionalKey(FromParameter),
  to: Schema.optionalKey(ToParameter),
  order: Schema.optionalKey(Schema.Literals(["newest", "earliest"]).annotate({ description: "By start. Default `newest`" })),
} as const

const matchesQuery = {
  ...listQuery,
  map: Schema.optionalKey(TextParameter.annotate({ description: "Name of the map, in any case: `storm point`" })),
} as const

const ofSeries = { params: { seriesId: SeriesId }, error: [...archiveErrors, NotFound] } as const
const listErrors = [...archiveErrors, UnknownValue] as const

const historyNote = "A series before your plan's history is rejected with 403 `HISTORY_LIMIT`."
const listNote = "`status=live` lists the live lobbies. Older ones than your plan's history are left out. `limit` is at most 100."

export class ApexSeriesApi extends HttpApiGroup.make("apex-series")
  .add(
    HttpApiEndpoint.get("events", "/apex/algs/events", {
      query: listQuery,
      success: success(Schema.Array(ApexSeriesRow), CursorPaging),
      error: listErrors,
    }).annotateMerge(
      describe(
        "Series",
        `Series of lobbies with schedule, format and winner. \`reasons\` states why fields are null. If only the tournament's first day is known, \`schedule.dateIsTournamentStart\` is true. ${listNote}`,
      ),
    ),
    HttpApiEndpoint.get("scores", "/apex/algs/events/:seriesId/scores", {
      ...ofSeries,
      success: success(ApexScores, NoMeta),
    }).annotateMerge(
      describe(
        "Scores of a series",
        `Standings with every game and the rank after it, and statistics of teams, players, legends and compositions. Points are placement points (12, 9, 7, 5, 4, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 0...) and 1 per kill. ${historyNote}`,
      ),
    ),
    HttpApiEndpoint.get("bans", "/apex/algs/events/:seriesId/bans", { ...ofSeries, success: success(ApexBans, NoMeta) }).annotateMerge(
      describe("Bans of a series", `Banned legends and the winner of each game. ${historyNote}`),
    ),
    HttpApiEndpoint.get("matches", "/apex/algs/matches", {
      query: matchesQuery,
      success: success(Schema.Array(ApexMatchRow), CursorPaging),
      error: listErrors,
    }).annotateMerge(describe("Games", `Games of all series with map, schedule and winner. ${listNote}`)),
  )
  // Lists and scores may contain live lobbies, which change at any time.
  .annotate(NeverReused, true)
  .pipe(sectionReads("apex"))
  .annotateMerge(OpenApi.annotations({ title: "Apex series", description: "Series, scores, bans and games of the ALGS." })) {}
