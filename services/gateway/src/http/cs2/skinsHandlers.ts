/** The endpoints of skins and their prices. */
import { dataLimits, isOn } from "@matchpoint/contracts/http/cs2/data/listing"
import { NotFound } from "@matchpoint/contracts/http/errors"
import { MatchpointApi } from "@matchpoint/contracts/http/MatchpointApi"
import { SkinMarket } from "@matchpoint/store/cs2/SkinMarket"
import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { listed, listPage, one, since, until, withoutStore } from "./archive.ts"

export const SkinsHandlers = HttpApiBuilder.group(
  MatchpointApi,
  "cs2-skins",
  Effect.fn(function* (handlers) {
    const market = yield* SkinMarket

    const find = Effect.fnUntraced(function* (idOrSlug: string) {
      const found = yield* market.find(idOrSlug)
      return Option.isSome(found) ? found.value : yield* NotFound.of(`no skin has this id or slug; GET /cs2/skins?q=… finds it`)
    })

    return handlers.handleAll({
      list: Effect.fnUntraced(
        function* ({ query }) {
          const page = listPage(query, dataLimits.skins)
          const { q, statTrak, weapon, wear } = query
          const only = statTrak === undefined ? undefined : isOn(statTrak)
          const { rows, total } = yield* market.list({ ...page, q, weapon, wear, statTrak: only })
          return listed(page, rows, total)
        },
        Effect.catchTag("StoreError", withoutStore),
      ),
      one: Effect.fnUntraced(
        function* ({ params }) {
          return one(yield* find(params.skinIdOrSlug))
        },
        Effect.catchTag("StoreError", withoutStore),
      ),
      prices: Effect.fnUntraced(
        function* ({ params, query }) {
          const page = listPage(query, dataLimits.skinPrices)
          const { id } = yield* find(params.skinIdOrSlug)
          const { rows, total } = yield* market.prices(id, {
            ...page,
            currency: query.currency,
            from: yield* since(query.from, query.to),
            to: until(query.to),
          })
          return listed(page, rows, total)
        },
        Effect.catchTag("StoreError", withoutStore),
      ),
    })
  }),
)
