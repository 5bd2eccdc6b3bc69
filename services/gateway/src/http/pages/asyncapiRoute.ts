/**
 * Serves `GET /asyncapi.json`, the AsyncAPI description of the live channels. The description contains the public
 * address of the server. If the address changes, `describe` builds the description again.
 */
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { GatewayConfig } from "../../GatewayConfig.ts"
import { type PublicAddress, placeOf } from "../publicAddress.ts"
import { type FixedAnswer, fixedAnswer } from "../responses/staticResponse.ts"

const ASYNCAPI_PATH = "/asyncapi.json"

export const asyncApiRoute = (describe: (place: PublicAddress) => object) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const settings = yield* GatewayConfig
      let last: { readonly key: string; readonly document: FixedAnswer } | undefined
      yield* router.add(
        "GET",
        ASYNCAPI_PATH,
        Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
          const place = placeOf(headers, settings) ?? { host: "localhost", secure: false }
          const key = `${place.secure} ${place.host}`
          if (last?.key !== key) last = { key, document: fixedAnswer(JSON.stringify(describe(place)), "application/json") }
          return last.document.answer
        }),
      )
    }),
  )
