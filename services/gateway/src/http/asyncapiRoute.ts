/** `GET /asyncapi.json`: the live channels described to machines. Made once per address under which we are asked for it. */
import { ASYNCAPI_PATH, asyncApi } from "@matchpoint/contracts/asyncapi/asyncApi"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { GatewayConfig } from "../GatewayConfig.ts"

export const AsyncApiRoute = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const { publicUrl } = yield* GatewayConfig
    const here = publicUrl === null ? undefined : new URL(publicUrl)
    let last: { readonly host: string; readonly text: string } | undefined
    yield* router.add(
      "GET",
      ASYNCAPI_PATH,
      Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) => {
        const host = here?.host ?? headers["host"] ?? "localhost"
        if (last?.host !== host) last = { host, text: JSON.stringify(asyncApi({ host, secure: here?.protocol === "https:" })) }
        return HttpServerResponse.text(last.text, { contentType: "application/json" })
      }),
    )
  }),
)
