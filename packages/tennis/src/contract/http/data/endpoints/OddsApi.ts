/**
 * Betting odds. They are announced: the shapes are part of the contract, and requests are answered with status 501 at no
 * charge.
 */
import { Authentication } from "@matchpoint/contracts/http/Authentication"
import { ANNOUNCED_ON, Announced, announcedText } from "@matchpoint/contracts/http/announced/Announced"
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { NoMeta, success } from "@matchpoint/contracts/http/envelope"
import { NotYetAvailable } from "@matchpoint/contracts/http/errors"
import { describe } from "@matchpoint/contracts/http/listing"
import { Free, Metering, Section } from "@matchpoint/contracts/http/Metering"
import { QueryRules } from "@matchpoint/contracts/http/QueryRules"
import { RequestRules } from "@matchpoint/contracts/http/RequestRules"
import { Timestamp } from "@matchpoint/contracts/timestamp"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { TennisPlayerRef } from "../matchModels.ts"
import { TennisMatchId } from "../references.ts"

const Price = Schema.NullOr(Schema.Finite.check(Schema.isGreaterThanOrEqualTo(1))).annotate({
  description: "Decimal price; null if no price is quoted",
})
/** Halves are possible, points and sets never are the unit. */
const Games = Schema.Finite.annotate({ description: "Number of games, never points or sets: `-3.5`" })

const market = {
  state: Schema.Literals(["open", "suspended", "closed"]),
  source: Schema.String,
  priced_at: Schema.NullOr(Timestamp).annotate({ description: "Time of the last price change" }),
} as const

const Winner = Schema.Struct({ ...market, player1: Price, player2: Price }).annotate({ identifier: "TennisWinnerOdds" })
const Spread = Schema.Struct({
  ...market,
  games: Games.annotate({ description: "Handicap of player 1 in games: `-3.5`" }),
  player1: Price,
  player2: Price,
}).annotate({ identifier: "TennisSpreadOdds" })
const Total = Schema.Struct({
  ...market,
  games: Games.annotate({ description: "Games of the match: `22.5`" }),
  over: Price,
  under: Price,
}).annotate({ identifier: "TennisTotalOdds" })

export const TennisOdds = Schema.Struct({
  match_id: TennisMatchId,
  player1: TennisPlayerRef,
  player2: TennisPlayerRef,
  winner: Schema.NullOr(Winner),
  spreads: Schema.Array(Spread).annotate({ description: "Handicaps in games" }),
  totals: Schema.Array(Total).annotate({ description: "Totals in games" }),
}).annotate({ identifier: "TennisOdds" })

const announced = (what: string) => announcedText(`${what} Prices are decimal. Spreads and totals are in games, never in points or sets.`)

const odds = { params: { matchId: TennisMatchId }, success: success(TennisOdds, NoMeta), error: NotYetAvailable } as const

/** Planned response. The names are invented. */
export const oddsExample: typeof odds.success.Type = {
  success: true,
  data: {
    match_id: TennisMatchId.make("tennis-match-1"),
    player1: { id: "atp_900001", name: "Aster Invented", country: null },
    player2: { id: "atp_900002", name: "Bram Invented", country: null },
    winner: { state: "open", source: "example", priced_at: "2026-11-25T12:00:00.000Z", player1: 1.62, player2: 2.35 },
    spreads: [{ state: "open", source: "example", priced_at: "2026-11-25T12:00:00.000Z", games: -3.5, player1: 1.9, player2: 1.9 }],
    totals: [{ state: "suspended", source: "example", priced_at: null, games: 22.5, over: null, under: null }],
  },
  meta: {},
}

export class OddsApi extends HttpApiGroup.make("tennis-odds")
  .add(
    HttpApiEndpoint.get("match", "/tennis/odds/:matchId", odds).annotateMerge(
      describe("Odds of a match (announced)", announced("The odds before the match.")),
    ),
    HttpApiEndpoint.get("live", "/tennis/odds/:matchId/live", odds).annotateMerge(
      describe("Live odds of a match (announced)", announced("The odds while the match is played.")),
    ),
  )
  .annotate(Section, "tennis")
  .annotate(Announced, {
    on: ANNOUNCED_ON,
    game: "tennis",
    example: { path: `${API_ROOT}/tennis/odds/{matchId}`, body: oddsExample },
  })
  .annotateEndpoints(Free, true)
  .middleware(QueryRules)
  .middleware(Metering)
  .middleware(Authentication)
  .middleware(RequestRules)
  .annotateMerge(OpenApi.annotations({ title: "Tennis odds", description: "Announced: decimal odds of tennis matches." })) {}
