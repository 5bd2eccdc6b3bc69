/** `GET /openapi.json`, `/docs`, and both for each section below them. Read on the first request for one. */
import { GatewayConfig } from "@matchpoint/game/edge/GatewayConfig"
import { Duration, Effect } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import { notThereAnswers } from "./fallback.ts"
import { apiDocuments } from "./reference/apiDocuments.ts"

export const DocsRoute = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const notThere = yield* notThereAnswers
    const { docsKey } = yield* GatewayConfig
    // A failure, for example because too many files are open, is not kept.
    const [cached, forget] = yield* Effect.cachedInvalidateWithTTL(apiDocuments(docsKey), Duration.infinity)
    const documents = Effect.onError(cached, () => forget)
    const answer = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const document = (yield* documents).get(request.url.split("?", 1)[0] ?? "")
      return document === undefined ? notThere(request) : yield* document.answer
    })
    for (const path of ["/openapi.json", "/openapi/:file", "/docs", "/docs/:file"] as const) yield* router.add("GET", path, answer)
  }),
)
