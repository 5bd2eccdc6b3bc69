/**
 * `GET /asyncapi.json`: the AsyncAPI description of the live channels. It contains the public address, so `describe` is
 * called again when that changes.
 */
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { GatewayConfig } from "../../GatewayConfig.ts"
import { type Place, placeOf } from "../publicPlace.ts"
import { type FixedAnswer, fixedAnswer } from "../responses/fixedAnswer.ts"

const ASYNCAPI_PATH = "/asyncapi.json"

export const asyncApiRoute = (describe: (place: Place) => object) =>
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
