/**
 * Betting odds on the winner of a series and of each of its maps, as decimal prices with their history. Prices come
 * from prediction markets. They are updated about every minute while a match is live, and every 15 minutes before it
 * starts. A market is suspended as soon as its map is decided. The API specification does not define the fields.
 */
import { NeverReused } from "@matchpoint/contracts/http/ConditionalGet"
import { NoMeta, success } from "@matchpoint/contracts/http/envelope"
import { NotFound } from "@matchpoint/contracts/http/errors"
import { archiveErrors, CursorPaging, cursorQuery, describe, rangeQuery } from "@matchpoint/contracts/http/listing"
import { Needs } from "@matchpoint/contracts/http/Metering"
import { sectionReads } from "@matchpoint/contracts/http/sectionReads"
import { Timestamp } from "@matchpoint/contracts/timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { GameId, MatchId, OddsMarketId, TeamId } from "../../../../rules/ids.ts"
import { Share } from "../models.ts"
import { TeamReference } from "../references.ts"

const nullable = Schema.NullOr

export const MarketState = Schema.Literals(["open", "suspended", "closed"])
export const MarketKind = Schema.Literals(["series_winner", "map_winner"])

/** Decimal odds; null if no price is quoted. */
const Price = nullable(Schema.Finite.check(Schema.isGreaterThanOrEqualTo(1)))

const Side = Schema.Struct({ teamId: nullable(TeamId), name: Schema.String, price: Price }).annotate({ identifier: "OddsSide" })

export const OddsMarket = Schema.Struct({
  entityType: Schema.Literal("cs2_odds_market"),
  id: OddsMarketId,
  matchId: nullable(MatchId).annotate({ description: "null if the market's match is not in the archive" }),
  gameId: nullable(GameId),
  kind: MarketKind,
  mapNumber: nullable(Schema.Natural),
  title: Schema.String,
  state: MarketState,
  team1: Side,
  team2: Side,
  impliedProbability: nullable(Share).annotate({
    description: "Win probability of team 1 implied by both prices, without the margin: 0..1",
  }),
  margin: nullable(Schema.Finite).annotate({ description: "1/price1 + 1/price2 - 1" }),
  winner: nullable(Schema.Literals(["team1", "team2"])),
  startsAt: nullable(Timestamp),
  openedAt: nullable(Timestamp),
  closedAt: nullable(Timestamp),
  pricedAt: nullable(Timestamp).annotate({ description: "Time of the last price change" }),
  source: Schema.String,
  lastSyncedAt: Timestamp,
}).annotate({ identifier: "OddsMarket" })
export type OddsMarket = typeof OddsMarket.Type

/** Prices and state of a market after a change. */
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
  maps: Schema.Array(OddsMarket).annotate({ description: "Map markets, ordered by map number" }),
}).annotate({ identifier: "MatchOdds" })
export type MatchOdds = typeof MatchOdds.Type

const historyQuery = { ...cursorQuery, ...rangeQuery } as const

export class OddsApi extends HttpApiGroup.make("cs2-odds")
  .add(
    HttpApiEndpoint.get("markets", "/cs2/odds", {
      query: {
        ...cursorQuery,
        ...rangeQuery,
        state: Schema.optionalKey(MarketState.annotate({ description: "Only markets in this state" })),
        kind: Schema.optionalKey(MarketKind.annotate({ description: "Only series markets, or only map markets" })),
        team: Schema.optionalKey(TeamReference.annotate({ description: "Only markets of this team's matches: id or slug of the team" })),
      },
      success: success(Schema.Array(OddsMarket), CursorPaging),
      error: archiveErrors,
    }).annotateMerge(
      describe("Odds markets", "Open markets first, then latest start first. `from` and `to` bound the start. `limit` is at most 100."),
    ),
    HttpApiEndpoint.get("match", "/cs2/odds/:matchId", {
      params: { matchId: MatchId },
      success: success(MatchOdds, NoMeta),
      error: [NotFound, ...archiveErrors],
    }).annotateMerge(describe("Odds of a match", "The series market and every map market of a match, with their newest prices.")),
    HttpApiEndpoint.get("history", "/cs2/odds/markets/:marketId/history", {
      params: { marketId: OddsMarketId },
      query: historyQuery,
      success: success(Schema.Array(OddsQuote), CursorPaging),
      error: [NotFound, ...archiveErrors],
    }).annotateMerge(
      describe(
        "Price history of a market",
        "Every price change of a market, oldest first. Quotes that change nothing are left out. `limit` is at most 1,000.",
      ),
    ),
  )
  .annotate(NeverReused, true)
  .annotateEndpoints(Needs, "odds")
  .pipe(sectionReads("cs2"))
  .annotateMerge(
    OpenApi.annotations({ title: "CS2 odds", description: "Decimal odds of series and maps, with the price history of every market." }),
  ) {}
