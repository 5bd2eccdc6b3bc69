import { NotFound } from "@matchpoint/contracts/http/errors"
import { isOn } from "@matchpoint/contracts/http/listing"
import { listHandler, one, reading, since, until } from "@matchpoint/game/edge/archive"
import { endpointGroup } from "@matchpoint/game/edge/slimContext"
import { Effect, Option } from "effect"
import { SkinMarket } from "../../archive/skins/SkinMarket.ts"
import { Cs2Api } from "../../contract/http/Cs2Api.ts"
import { dataLimits } from "../../contract/http/data/dataLimits.ts"

export const SkinsHandlers = endpointGroup(
  Cs2Api,
  "cs2-skins",
  Effect.fn(function* (handlers) {
    const market = yield* SkinMarket

    const find = Effect.fnUntraced(function* (idOrSlug: string) {
      const found = yield* market.find(idOrSlug)
      return Option.isSome(found) ? found.value : yield* NotFound.of(`no skin has this id or slug; GET /cs2/skins?q=… finds skins by name`)
    })

    return handlers.handleAll({
      list: listHandler({ max: dataLimits.skins }, ({ query: { q, statTrak, weapon, wear } }, window) =>
        market.list({ ...window, q, weapon, wear, statTrak: statTrak === undefined ? undefined : isOn(statTrak) }),
      ),
      one: reading(function* ({ params }) {
        return one(yield* find(params.skinIdOrSlug))
      }),
      prices: listHandler(
        { max: dataLimits.skinPrices },
        Effect.fnUntraced(function* ({ params, query }, window) {
          const { id } = yield* find(params.skinIdOrSlug)
          return yield* market.prices(id, {
            ...window,
            currency: query.currency,
            from: yield* since(query.from, query.to),
            to: until(query.to),
          })
        }),
      ),
    })
  }),
)
