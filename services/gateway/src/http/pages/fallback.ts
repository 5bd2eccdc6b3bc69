/** Responses without a matching route: the path is unknown, or it does not allow the method. */
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { body, errorStatus } from "@matchpoint/contracts/http/errors"
import { type ChannelGame, socketPathOf, streamPathOf } from "@matchpoint/contracts/stream/streamPaths"
import { KnownPaths } from "@matchpoint/process/http/KnownPaths"
import { notFound } from "@matchpoint/process/http/notFound"
import { Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { gamesOf, LiveGames } from "../../live/LiveGames.ts"
import { notFoundPage, wantsPage } from "./notFoundPage.ts"

/** The 404 and 405 responses. For unknown paths, browsers get an HTML page. */
export const notThereAnswers = Effect.map(KnownPaths, (paths) => {
  const plain = notFound(paths)
  return (request: HttpServerRequest.HttpServerRequest): HttpServerResponse.HttpServerResponse => {
    const response = plain(request)
    const isRead = request.method === "GET" || request.method === "HEAD"
    return response.status === errorStatus.NOT_FOUND && isRead && wantsPage(request.headers["accept"]) ? notFoundPage : response
  }
})

/**
 * Methods of the fallback routes. HEAD and `*`, which includes it, are left out, because the router answers HEAD with
 * the GET route of a path only if there is no route for HEAD.
 */
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const

/** Response to a request on a WebSocket path that is no handshake. */
const upgradeRequired = (followed: ChannelGame) =>
  HttpServerResponse.jsonUnsafe(
    body(
      "UPGRADE_REQUIRED",
      `this path accepts only WebSocket connections; connect with wss:// or ws://, or use ${streamPathOf(followed)} for server-sent events`,
    ),
    { status: errorStatus.UPGRADE_REQUIRED, headers: { upgrade: "websocket" } },
  )

/** Answers plain GET requests on WebSocket paths. */
export const UpgradeRequiredRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    for (const followed of [undefined, ...gamesOf(yield* LiveGames)]) {
      yield* router.add("GET", `${API_ROOT}${socketPathOf(followed)}`, upgradeRequired(followed))
    }
  }),
)

export const FallbackRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const answer = Effect.map(HttpServerRequest.HttpServerRequest, yield* notThereAnswers)
    for (const method of methods) yield* router.add(method, "*", answer)
  }),
)
