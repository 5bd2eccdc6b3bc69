/** `GET /asyncapi.json`: the live channels described to machines. Made by `describe`, once per address under which we are asked for it. */
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { GatewayConfig } from "../GatewayConfig.ts"

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
      let last: { readonly host: string; readonly text: string } | undefined
      yield* router.add(
        "GET",
        ASYNCAPI_PATH,
        Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => {
          const host = here?.host ?? headers["host"] ?? "localhost"
          if (last?.host !== host) last = { host, text: JSON.stringify(describe({ host, secure: here?.protocol === "https:" })) }
          return HttpServerResponse.text(last.text, { contentType: "application/json" })
        }),
      )
    }),
  )
