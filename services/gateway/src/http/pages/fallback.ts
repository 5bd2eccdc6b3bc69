/**
 * Responses to requests that match no route: the path is unknown, or it does not allow the method. For unknown paths,
 * browsers get an HTML page.
 */
import { body, errorStatus } from "@matchpoint/contracts/http/errors"
import { API_ROOT } from "@matchpoint/contracts/http/MatchpointApi"
import { type ChannelGame, socketPathOf, streamPathOf } from "@matchpoint/contracts/stream/streamPaths"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { gamesOf, LiveGames } from "../../live/LiveGames.ts"
import { allowedAt } from "../knownPaths.ts"
import { notFoundPage, wantsPage } from "./notFoundPage.ts"

const TOLD_LENGTH = 200

/**
 * Returns the 404 or 405 response. The response does not repeat the query of the URL, because a query may contain keys.
 */
export const notThere = (request: HttpServerRequest.HttpServerRequest): HttpServerResponse.HttpServerResponse => {
  const method = request.method.slice(0, TOLD_LENGTH)
  const path = request.url.split("?", 1)[0] ?? ""
  const isRead = method === "GET" || method === "HEAD"
  const told = path.slice(0, TOLD_LENGTH)
  const allow = allowedAt(path)
  // If the contract contains the path and method but no route exists, this server does not offer that API. For example,
  // the admin API is missing if no token is configured. Such requests are answered with 404.
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
 * Methods for which a fallback route is registered. HEAD is omitted, because the router answers a HEAD request with the
 * GET route of the path only if there is no route for HEAD. `*` is not used, because it includes HEAD.
 */
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const

/** Response to a request on a WebSocket path that is not a WebSocket handshake. */
const upgradeRequired = (followed: ChannelGame) =>
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
