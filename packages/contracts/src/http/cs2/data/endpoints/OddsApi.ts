/**
 * Odds: the series winner and the winner of every map, as decimal prices, with the full movement of each line. Prices come from
 * prediction markets, about every minute while a match is live and every 15 minutes before; a market is suspended as soon as its map is
 * decided. The specification leaves the fields open: these are ours.
 */
import { GameId, MatchId, OddsMarketId, TeamId } from "@matchpoint/domain/cs2/ids"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Timestamp } from "../../../../timestamp.ts"
import { Authentication } from "../../../Authentication.ts"
import { ConditionalGet, Moving } from "../../../ConditionalGet.ts"
import { NoMeta, success } from "../../../envelope.ts"
import { NotFound } from "../../../errors.ts"
import { archiveErrors, CursorPaging, cursorQuery, describe, rangeQuery } from "../../../listing.ts"
import { Metering, Needs, Section } from "../../../Metering.ts"
import { RequestRules } from "../../../RequestRules.ts"
import { Share } from "../models.ts"
import { TeamReference } from "../references.ts"

const nullable = Schema.NullOr

export const MarketState = Schema.Literals(["open", "suspended", "closed"])
export const MarketKind = Schema.Literals(["series_winner", "map_winner"])

/** Decimal odds; null where no price is quoted. */
const Price = nullable(Schema.Finite.check(Schema.isGreaterThanOrEqualTo(1)))

const Side = Schema.Struct({ teamId: nullable(TeamId), name: Schema.String, price: Price }).annotate({ identifier: "OddsSide" })

export const OddsMarket = Schema.Struct({
  entityType: Schema.Literal("cs2_odds_market"),
  id: OddsMarketId,
  matchId: nullable(MatchId).annotate({ description: "null while the market's match is not in the archive" }),
  gameId: nullable(GameId),
  kind: MarketKind,
  mapNumber: nullable(Schema.Natural),
  title: Schema.String,
  state: MarketState,
  team1: Side,
  team2: Side,
  impliedProbability: nullable(Share).annotate({ description: "Team 1's chance as both prices have it, without the margin: 0..1" }),
  margin: nullable(Schema.Finite).annotate({ description: "1/price1 + 1/price2 - 1" }),
  winner: nullable(Schema.Literals(["team1", "team2"])),
  startsAt: nullable(Timestamp),
  openedAt: nullable(Timestamp),
  closedAt: nullable(Timestamp),
  pricedAt: nullable(Timestamp).annotate({ description: "When the line moved last" }),
  source: Schema.String,
  lastSyncedAt: Timestamp,
}).annotate({ identifier: "OddsMarket" })
export type OddsMarket = typeof OddsMarket.Type

/** Where the line moved to, and when. */
export const OddsQuote = Schema.Struct({ at: Timestamp, team1: Price, team2: Price, state: MarketState }).annotate({
  identifier: "OddsQuote",
})
export type OddsQuote = typeof OddsQuote.Type

export const MatchOdds = Schema.Struct({
  entityType: Schema.Literal("cs2_match_odds"),
  matchId: MatchId,
  dataAvailable: Schema.Boolean,
  unavailableReason: nullable(Schema.Literal("not_yet_indexed")),
  series: nullable(OddsMarket),
  maps: Schema.Array(OddsMarket).annotate({ description: "By map number" }),
}).annotate({ identifier: "MatchOdds" })
export type MatchOdds = typeof MatchOdds.Type

const historyQuery = { ...cursorQuery, ...rangeQuery } as const

export class OddsApi extends HttpApiGroup.make("cs2-odds")
  .add(
    HttpApiEndpoint.get("markets", "/cs2/odds", {
      query: {
        ...cursorQuery,
        ...rangeQuery,
        state: Schema.optionalKey(MarketState.annotate({ description: "Markets in this state" })),
        kind: Schema.optionalKey(MarketKind.annotate({ description: "Of the series, or of its maps" })),
        team: Schema.optionalKey(TeamReference.annotate({ description: "Markets of this team's matches: its id or slug" })),
      },
      success: success(Schema.Array(OddsMarket), CursorPaging),
      error: archiveErrors,
    }).annotateMerge(
      describe("Odds markets", "Open markets first, then by start, newest first. `from` and `to` bound the start. `limit` is at most 100."),
    ),
    HttpApiEndpoint.get("match", "/cs2/odds/:matchId", {
      params: { matchId: MatchId },
      success: success(MatchOdds, NoMeta),
      error: [NotFound, ...archiveErrors],
    }).annotateMerge(describe("Odds of a match", "The series winner and every map that has a market, at their newest prices.")),
    HttpApiEndpoint.get("history", "/cs2/odds/markets/:marketId/history", {
      params: { marketId: OddsMarketId },
      query: historyQuery,
      success: success(Schema.Array(OddsQuote), CursorPaging),
      error: [NotFound, ...archiveErrors],
    }).annotateMerge(
      describe(
        "Line movement",
        "Every move of a market's line, oldest first; a quote that changes nothing is no move. `limit` is at most 1,000.",
      ),
    ),
  )
  .annotate(Section, "cs2")
  .annotate(Moving, true)
  .annotateEndpoints(Needs, "odds")
  .middleware(ConditionalGet)
  .middleware(Metering)
  .middleware(Authentication)
  .middleware(RequestRules)
  .annotateMerge(
    OpenApi.annotations({ title: "CS2 odds", description: "Decimal prices of series and maps, with the movement of every line." }),
  ) {}
