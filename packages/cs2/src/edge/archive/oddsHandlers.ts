import { NotFound } from "@matchpoint/contracts/http/errors"
import { matchNumber } from "@matchpoint/domain/ids"
import { listHandler, one, reading, since, until } from "@matchpoint/game/edge/archive"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import { Effect } from "effect"
import { OddsBook } from "../../archive/odds/OddsBook.ts"
import { Cs2Api } from "../../contract/http/Cs2Api.ts"
import { dataLimits } from "../../contract/http/data/dataLimits.ts"
import { oddsMarketNumber } from "../../rules/ids.ts"

export const OddsHandlers = endpointGroup(
  Cs2Api,
  "cs2-odds",
  Effect.fn(function* (handlers) {
    const book = yield* OddsBook

    return handlers.handleAll({
      markets: listHandler(
        { max: dataLimits.odds },
        Effect.fnUntraced(function* ({ query }, window) {
          const { kind, state, team } = query
          return yield* book.markets({ ...window, kind, state, team, from: yield* since(query.from, query.to), to: until(query.to) })
        }),
      ),
      match: reading(function* ({ params }) {
        const markets = yield* book.ofMatch(matchNumber(params.matchId))
        if (markets === undefined)
          return yield* NotFound.of(`no match has the id ${params.matchId}; GET /cs2/matches/upcoming lists upcoming matches`)
        return one({
          entityType: "cs2_match_odds" as const,
          matchId: params.matchId,
          dataAvailable: markets.length > 0,
          unavailableReason: markets.length > 0 ? null : ("not_yet_indexed" as const),
          series: markets.find(({ kind }) => kind === "series_winner") ?? null,
          maps: markets.filter(({ kind }) => kind === "map_winner"),
        })
      }),
      history: listHandler(
        { max: dataLimits.oddsHistory },
        Effect.fnUntraced(function* ({ params, query }, window) {
          const line = yield* book.line(oddsMarketNumber(params.marketId), {
            ...window,
            from: yield* since(query.from, query.to),
            to: until(query.to),
          })
          return line ?? (yield* NotFound.of(`no market has the id ${params.marketId}; GET /cs2/odds lists all markets`))
        }),
      ),
    })
  }),
)
