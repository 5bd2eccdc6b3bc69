/** The endpoints of odds. */
import { dataLimits } from "@matchpoint/contracts/http/cs2/data/listing"
import { NotFound } from "@matchpoint/contracts/http/errors"
import { MatchpointApi } from "@matchpoint/contracts/http/MatchpointApi"
import { matchNumber, oddsMarketNumber } from "@matchpoint/domain/ids"
import { OddsBook } from "@matchpoint/store/cs2/OddsBook"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { listed, listPage, one, since, until, withoutStore } from "./archive.ts"

export const OddsHandlers = HttpApiBuilder.group(
  MatchpointApi,
  "cs2-odds",
  Effect.fn(function* (handlers) {
    const book = yield* OddsBook

    return handlers.handleAll({
      markets: Effect.fnUntraced(
        function* ({ query }) {
          const page = listPage(query, dataLimits.odds)
          const { kind, state, team } = query
          const { rows, total } = yield* book.markets({
            ...page,
            kind,
            state,
            team,
            from: yield* since(query.from, query.to),
            to: until(query.to),
          })
          return listed(page, rows, total)
        },
        Effect.catchTag("StoreError", withoutStore),
      ),
      match: Effect.fnUntraced(
        function* ({ params }) {
          const markets = yield* book.ofMatch(matchNumber(params.matchId))
          if (markets === undefined)
            return yield* NotFound.of(`no match has the id ${params.matchId}; GET /cs2/matches/upcoming lists the next`)
          return one({
            entityType: "cs2_match_odds" as const,
            matchId: params.matchId,
            dataAvailable: markets.length > 0,
            unavailableReason: markets.length > 0 ? null : ("not_yet_indexed" as const),
            series: markets.find(({ kind }) => kind === "series_winner") ?? null,
            maps: markets.filter(({ kind }) => kind === "map_winner"),
          })
        },
        Effect.catchTag("StoreError", withoutStore),
      ),
      history: Effect.fnUntraced(
        function* ({ params, query }) {
          const page = listPage(query, dataLimits.oddsHistory)
          const line = yield* book.line(oddsMarketNumber(params.marketId), {
            ...page,
            from: yield* since(query.from, query.to),
            to: until(query.to),
          })
          if (line === undefined) return yield* NotFound.of(`no market has the id ${params.marketId}; GET /cs2/odds lists them`)
          return listed(page, line.rows, line.total)
        },
        Effect.catchTag("StoreError", withoutStore),
      ),
    })
  }),
)
