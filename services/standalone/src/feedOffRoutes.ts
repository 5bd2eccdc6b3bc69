/** The routes of the intake on a server without a feed token. The response explains how to enable the intake. */
import { body, errorStatus } from "@matchpoint/contracts/http/errors"
import { FEED_ROOT } from "@matchpoint/contracts/http/feed/FactsApi"
import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"

const OFF = body("SERVICE_UNAVAILABLE", "the feed intake is off; set MATCHPOINT_FEED_TOKEN for the server and restart it")

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const

const answer = Effect.sync(() => HttpServerResponse.jsonUnsafe(OFF, { status: errorStatus.SERVICE_UNAVAILABLE }))

export const feedOffRoutes = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    for (const method of methods) yield* router.add(method, `${FEED_ROOT}/*`, answer)
  }),
)
