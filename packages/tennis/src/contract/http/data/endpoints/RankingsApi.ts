import { success } from "@matchpoint/contracts/http/envelope"
import { NotCovered, NotFound, UnknownValue } from "@matchpoint/contracts/http/errors"
import { archiveErrors, cursorPaging, cursorQuery, describe } from "@matchpoint/contracts/http/listing"
import { sectionReads } from "@matchpoint/contracts/http/sectionReads"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { SummariesReady } from "../../SummariesReady.ts"
import {
  CircuitReference,
  circuitQuery,
  datesQuery,
  MoversMeta,
  moversQuery,
  RankedPlayer,
  RankingHistoryMeta,
  RankingHistoryRow,
  RankingListMeta,
  RankingMovers,
  RankingWeek,
  rankingQuery,
  StandingsMeta,
  standingsQuery,
  topQuery,
} from "../rankingModels.ts"
import { TennisPlayerId, TourName } from "../references.ts"

const list = { success: success(Schema.Array(RankedPlayer), RankingListMeta), error: [...archiveErrors, UnknownValue] } as const
const standings = { success: success(Schema.Array(RankedPlayer), StandingsMeta), error: archiveErrors } as const

const dateNote =
  "`date` must be the date of a published list, which is a Monday except in early years. Another date is rejected with 422, which names the nearest earlier and later lists. Movement is relative to the previous published list of the tour. Players with equal ranks are ordered by their ids. Every plan includes the newest list; older lists require a plan whose history reaches back that far."

export class RankingsApi extends HttpApiGroup.make("tennis-rankings")
  .add(
    HttpApiEndpoint.get("list", "/tennis/rankings", { query: rankingQuery, ...list }).annotateMerge(
      describe("Rankings", `A weekly list, best rank first. ${dateNote} \`limit\` is at most 500.`),
    ),
    HttpApiEndpoint.get("top", "/tennis/rankings/top", { query: topQuery, ...standings }).annotateMerge(
      describe("Top of the rankings", "The first players of the newest list, 10 by default. `top_n` is at most 500."),
    ),
    HttpApiEndpoint.get("dates", "/tennis/rankings/dates", {
      query: datesQuery,
      success: success(Schema.Array(RankingWeek), Schema.Struct({ ...cursorPaging, tour: TourName })),
      error: archiveErrors,
    }).annotateMerge(
      describe("Dates of rankings", "The published lists of a tour, newest first, within your plan's history. `limit` is at most 500."),
    ),
    HttpApiEndpoint.get("history", "/tennis/rankings/history/:playerId", {
      params: { playerId: TennisPlayerId },
      query: cursorQuery,
      success: success(Schema.Array(RankingHistoryRow), RankingHistoryMeta),
      error: [...archiveErrors, NotFound],
    }).annotateMerge(
      describe(
        "Ranking history of a player",
        "The places of a player, newest first, and the career high. Both count the lists within your plan's history. `limit` is at most 500.",
      ),
    ),
    HttpApiEndpoint.get("movers", "/tennis/rankings/movers", {
      query: moversQuery,
      success: success(RankingMovers, MoversMeta),
      error: [...archiveErrors, UnknownValue],
    }).annotateMerge(
      describe("Movers", `Climbers, fallers, new entries and drop-outs of a list, compared with the previous one. ${dateNote}`),
    ),
    HttpApiEndpoint.get("circuit", "/tennis/rankings/:circuit", {
      params: { circuit: CircuitReference },
      query: circuitQuery,
      success: list.success,
      error: [...list.error, NotCovered],
    }).annotateMerge(
      describe(
        "Rankings of a circuit",
        `The singles rankings of \`atp\` or \`wta\`. Other circuits, such as \`doubles\` or \`race\`, are rejected with 404, which lists the circuits that the data covers. ${dateNote} \`limit\` is at most 500.`,
      ),
    ),
    HttpApiEndpoint.get("standings", "/tennis/standings", { query: standingsQuery, ...standings }).annotateMerge(
      describe("Standings", "The newest list of a tour, 50 players by default. `top_n` is at most 500."),
    ),
  )
  .middleware(SummariesReady)
  .pipe(sectionReads("tennis"))
  .annotateMerge(OpenApi.annotations({ title: "Tennis rankings", description: "Weekly singles rankings of the ATP and the WTA." })) {}
