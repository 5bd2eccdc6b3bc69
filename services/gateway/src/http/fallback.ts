/** Answers for what no route takes, and for what breaks: always the API's error body, never anything of the inside. */

import { SOCKET_PATH } from "@matchpoint/contracts/http/cs2/streamPaths"
import { body, errorStatus, InternalError } from "@matchpoint/contracts/http/errors"
import { API_ROOT } from "@matchpoint/contracts/http/MatchpointApi"
import { Cause, Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"

const notFound = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const path = request.url.split("?", 1)[0] ?? ""
  const message = `there is no ${request.method} ${path.slice(0, 200)}; /docs describes every endpoint`
  return HttpServerResponse.jsonUnsafe(body("NOT_FOUND", message), { status: errorStatus.NOT_FOUND })
})

/** Not for HEAD, nor for `*`, which has HEAD in it: HEAD goes to the GET of its path, and a route of its own would be in the way. */
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const

/** The channel's path without a WebSocket handshake. */
const upgradeRequired = HttpServerResponse.jsonUnsafe(
  body("UPGRADE_REQUIRED", "this is a WebSocket: connect with wss:// or ws://, or use /cs2/live/stream for server-sent events"),
  { status: errorStatus.UPGRADE_REQUIRED, headers: { upgrade: "websocket" } },
)

export const FallbackRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    yield* router.add("GET", `${API_ROOT}${SOCKET_PATH}`, upgradeRequired)
    for (const method of methods) yield* router.add(method, "*", notFound)
  }),
)

/** A defect costs its request a 500; the log has the cause. */
export const DefectsAsErrors = HttpRouter.middleware(
  (answer) =>
    Effect.catchCauseIf(answer, Cause.hasDies, (cause) =>
      Effect.as(
        Effect.logError("a request failed", cause),
        HttpServerResponse.jsonUnsafe(InternalError.hidden(), { status: errorStatus.INTERNAL_ERROR }),
      ),
    ),
  { global: true },
)
