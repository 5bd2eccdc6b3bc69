/**
 * Responses to requests that match no route: the path is unknown, or it does not allow the method. Browsers get an HTML
 * page.
 */
import { body, errorStatus } from "@matchpoint/contracts/http/errors"
import { API_ROOT } from "@matchpoint/contracts/http/MatchpointApi"
import { type Followed, socketPathOf, streamPathOf } from "@matchpoint/contracts/stream/streamPaths"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { gamesOf, LiveGames } from "../../live/LiveGames.ts"
import { allowedAt } from "../knownPaths.ts"
import { notFoundPage, wantsPage } from "./notFoundPage.ts"

const TOLD_LENGTH = 200

/** Returns the 404 or 405 response. It omits the query, which may contain keys. */
export const notThere = (request: HttpServerRequest.HttpServerRequest): HttpServerResponse.HttpServerResponse => {
  const method = request.method.slice(0, TOLD_LENGTH)
  const path = request.url.split("?", 1)[0] ?? ""
  const isRead = method === "GET" || method === "HEAD"
  const told = path.slice(0, TOLD_LENGTH)
  const allow = allowedAt(path)
  // An API that is not served here, such as the admin API without a token, has the method in its contract but no route.
  if (allow === undefined || allow.split(", ").includes(method)) {
    if (isRead && wantsPage(request.headers["accept"])) return notFoundPage
    const message = `no endpoint matches ${method} ${told}; /docs describes every endpoint`
    return HttpServerResponse.jsonUnsafe(body("NOT_FOUND", message), { status: errorStatus.NOT_FOUND })
  }
  const message = `${told} does not allow ${method}; it allows ${allow}`
  return HttpServerResponse.jsonUnsafe(body("METHOD_NOT_ALLOWED", message), {
    status: errorStatus.METHOD_NOT_ALLOWED,
    headers: { allow },
  })
}

const answerNotThere = Effect.map(HttpServerRequest.HttpServerRequest, notThere)

/**
 * Without HEAD, and without `*`, which includes HEAD: the router answers HEAD with the path's GET route, and a HEAD
 * route would take precedence.
 */
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const

/** Response on a WebSocket path to a request without a WebSocket handshake. */
const upgradeRequired = (followed: Followed) =>
  HttpServerResponse.jsonUnsafe(
    body(
      "UPGRADE_REQUIRED",
      `this path accepts only WebSocket connections; connect with wss:// or ws://, or use ${streamPathOf(followed)} for server-sent events`,
    ),
    { status: errorStatus.UPGRADE_REQUIRED, headers: { upgrade: "websocket" } },
  )

/** Answers plain GET requests on WebSocket paths with 426. */
export const UpgradeRequiredRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    for (const followed of [undefined, ...gamesOf(yield* LiveGames)]) {
      yield* router.add("GET", `${API_ROOT}${socketPathOf(followed)}`, upgradeRequired(followed))
    }
  }),
)

export const FallbackRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    for (const method of methods) yield* router.add(method, "*", answerNotThere)
  }),
)
