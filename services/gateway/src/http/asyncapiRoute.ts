/** `GET /asyncapi.json`: the live channels described to machines. Made by `describe`, once per address under which we are asked for it. */
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { GatewayConfig } from "../GatewayConfig.ts"
import { type FixedAnswer, fixedAnswer } from "./fixedAnswer.ts"

const ASYNCAPI_PATH = "/asyncapi.json"

/** With the port, e.g. `api.example.com`. */
interface Place {
  readonly host: string
  readonly secure: boolean
}

export const asyncApiRoute = (describe: (place: Place) => object) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const { publicUrl } = yield* GatewayConfig
      const here = publicUrl === null ? undefined : new URL(publicUrl)
      let last: { readonly host: string; readonly document: FixedAnswer } | undefined
      yield* router.add(
        "GET",
        ASYNCAPI_PATH,
        Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
          const host = here?.host ?? headers["host"] ?? "localhost"
          if (last?.host !== host) {
            const text = JSON.stringify(describe({ host, secure: here?.protocol === "https:" }))
            last = { host, document: fixedAnswer(text, "application/json") }
          }
          return last.document.answer
        }),
      )
    }),
  )
