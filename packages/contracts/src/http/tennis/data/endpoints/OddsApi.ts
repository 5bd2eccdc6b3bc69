/**
 * Betting odds of tennis matches. They are announced: the shapes are part of the contract, and requests are answered
 * with status 501 at no charge.
 */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Timestamp } from "../../../../timestamp.ts"
import { Authentication } from "../../../Authentication.ts"
import { ConditionalGet } from "../../../ConditionalGet.ts"
import { NoMeta, success } from "../../../envelope.ts"
import { NotYetAvailable } from "../../../errors.ts"
import { describe } from "../../../listing.ts"
import { Free, Metering, Section } from "../../../Metering.ts"
import { RequestRules } from "../../../RequestRules.ts"
import { TennisPlayerRef } from "../matchModels.ts"
import { TennisMatchId } from "../references.ts"

/** Date on which the endpoints were announced. */
export const ODDS_ANNOUNCED_ON = "2026-11-25"

const Price = Schema.NullOr(Schema.Finite.check(Schema.isGreaterThanOrEqualTo(1))).annotate({
  description: "Decimal price; null if no price is quoted",
})
/** Number of games. Halves are possible, points and sets never are the unit. */
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

const announced = (what: string) =>
  `**Announced on ${ODDS_ANNOUNCED_ON}, not available yet**: every request is answered with status 501 and costs nothing. ${what} Prices are decimal. Spreads and totals are in games, never in points or sets.`

const odds = { params: { matchId: TennisMatchId }, success: success(TennisOdds, NoMeta), error: NotYetAvailable } as const

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
  .annotateEndpoints(Free, true)
  .middleware(ConditionalGet)
  .middleware(Metering)
  .middleware(Authentication)
  .middleware(RequestRules)
  .annotateMerge(OpenApi.annotations({ title: "Tennis odds", description: "Announced: decimal odds of tennis matches." })) {}
