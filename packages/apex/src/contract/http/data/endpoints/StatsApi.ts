/** Statistics of tournaments, players, transactions, and the content of the section. */
import { NoMeta, success, wholeNumber } from "@matchpoint/contracts/http/envelope"
import { NotFound, UnknownValue } from "@matchpoint/contracts/http/errors"
import { archiveErrors, CursorPaging, cursorPaging, cursorQuery, describe, limitOf } from "@matchpoint/contracts/http/listing"
import { sectionReads } from "@matchpoint/contracts/http/sectionReads"
import { Timestamp } from "@matchpoint/contracts/timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { transactionTypes } from "../../../../rules/archive/series.ts"
import { apexLimits, EventId, FromParameter, RegionParameter, TextParameter, ToParameter, UnavailableReason } from "../references.ts"
import { ApexCoverage, ApexEventLegends, ApexEventStats, ApexPlayerRow, ApexPlayerTotals, ApexTransactionRow } from "../statsModels.ts"

/** Default page sizes of the list of events, whose rows are large, and of the search. */
export const USUAL_EVENTS = 5
export const USUAL_HITS = 10

export const statsQuery = {
  ...cursorQuery,
  limit: limitOf(USUAL_EVENTS),
  region: Schema.optionalKey(RegionParameter),
  year: Schema.optionalKey(wholeNumber({ minimum: 2019, maximum: 2200 }).annotate({ description: "Year in which the event started" })),
} as const

export const playerSorts = ["kills", "damage", "assists", "knockdowns", "games"] as const

export const playersQuery = {
  ...cursorQuery,
  sort: Schema.optionalKey(Schema.Literals(playerSorts).annotate({ description: "Highest first. Default `kills`" })),
  team: Schema.optionalKey(TextParameter.annotate({ description: "Name of a team, in any case" })),
} as const

export const legendsQuery = {
  legend: Schema.optionalKey(TextParameter.annotate({ description: "Name of a legend, in any case. Default: all legends" })),
} as const

export const searchQuery = {
  q: TextParameter.annotate({ description: "Part of the player's name, in any case; similar names are found too" }),
  region: Schema.optionalKey(RegionParameter),
  limit: limitOf(USUAL_HITS),
} as const

export const transactionsQuery = {
  ...cursorQuery,
  type: Schema.optionalKey(TextParameter.annotate({ description: `One of ${transactionTypes.join(", ")}` })),
  region: Schema.optionalKey(RegionParameter),
  team: Schema.optionalKey(TextParameter.annotate({ description: "Name of a team before or after, in any case" })),
  player: Schema.optionalKey(TextParameter.annotate({ description: "Id or name of a player, in any case" })),
  from: Schema.optionalKey(FromParameter),
  to: Schema.optionalKey(ToParameter),
} as const

const ofEvent = { params: { eventId: EventId }, error: [...archiveErrors, NotFound] } as const
const historyNote = "An event before your plan's history is rejected with 403 `HISTORY_LIMIT`."

const PlayersMeta = Schema.Struct({ ...cursorPaging, eventId: Schema.String, unavailableReason: UnavailableReason })

export class ApexStatsApi extends HttpApiGroup.make("apex-stats")
  .add(
    HttpApiEndpoint.get("coverage", "/apex", { success: success(ApexCoverage, NoMeta), error: archiveErrors }).annotateMerge(
      describe("Coverage", "What the Apex section has: tournaments, series, games, and which kinds of data. All plans see the same."),
    ),
    HttpApiEndpoint.get("globalStats", "/apex/algs/global-stats", {
      query: statsQuery,
      success: success(Schema.Array(ApexEventStats), CursorPaging),
      error: [...archiveErrors, UnknownValue],
    }).annotateMerge(
      describe(
        "Statistics of events",
        `One row per tournament, newest first: leaders, teams, standings over all series, legends and compositions. Events before your plan's history are left out. \`limit\` is at most ${apexLimits.stats}.`,
      ),
    ),
    HttpApiEndpoint.get("eventPlayers", "/apex/algs/global-stats/:eventId/players", {
      ...ofEvent,
      query: playersQuery,
      success: success(Schema.Array(ApexPlayerTotals), PlayersMeta),
    }).annotateMerge(
      describe(
        "Players of an event",
        `Sums of each player in the event. Players without the value are last. ${historyNote} \`limit\` is at most 100.`,
      ),
    ),
    HttpApiEndpoint.get("eventLegends", "/apex/algs/global-stats/:eventId/legends", {
      ...ofEvent,
      query: legendsQuery,
      success: success(ApexEventLegends, NoMeta),
    }).annotateMerge(describe("Legends of an event", `Picks, bans, kills and damage of legends, and team compositions. ${historyNote}`)),
    HttpApiEndpoint.get("search", "/apex/algs/players/search", {
      query: searchQuery,
      success: Schema.Struct({
        success: Schema.Literal(true),
        count: Schema.Natural,
        data: Schema.Array(ApexPlayerRow),
        meta: Schema.Struct({ query: Schema.String, unavailableReason: UnavailableReason }),
      }),
      error: [...archiveErrors, UnknownValue],
    }).annotateMerge(
      describe(
        "Player search",
        `Best hits first, then players with more games. Sums are those of the whole archive. \`limit\` is at most ${apexLimits.search}.`,
      ),
    ),
    HttpApiEndpoint.get("transactions", "/apex/algs/transactions", {
      query: transactionsQuery,
      success: success(Schema.Array(ApexTransactionRow), Schema.Struct({ ...cursorPaging, unavailableReason: UnavailableReason })),
      error: [...archiveErrors, UnknownValue],
    }).annotateMerge(
      describe(
        "Transactions",
        "Changes of rosters, roles and names of teams, newest first. Older ones than your plan's history are left out.",
      ),
    ),
    HttpApiEndpoint.get("tournamentPlayers", "/apex/algs/tournaments/:tournamentId/player-stats", {
      params: { tournamentId: EventId },
      query: playersQuery,
      success: success(
        Schema.Array(ApexPlayerTotals),
        Schema.Struct({
          ...PlayersMeta.fields,
          computedAt: Schema.NullOr(Timestamp).annotate({ description: "When the stored rows were computed" }),
        }),
      ),
      error: ofEvent.error,
    }).annotateMerge(
      describe("Stored player statistics of a tournament", `The rows of \`/global-stats/{eventId}/players\`. ${historyNote}`),
    ),
  )
  .pipe(sectionReads("apex"))
  .annotateMerge(OpenApi.annotations({ title: "Apex statistics", description: "Statistics of tournaments, players and legends." })) {}
