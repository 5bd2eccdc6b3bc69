/** Answers for what no route takes, and for what breaks: always the API's error body, never anything of the inside. */
import { body, errorStatus, InternalError } from "@matchpoint/contracts/http/errors"
import { Cause, Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"

export const NotFoundRoute = HttpRouter.add(
  "*",
  "/*",
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const path = request.url.split("?", 1)[0] ?? ""
    const message = `there is no ${request.method} ${path.slice(0, 200)}; /docs describes every endpoint`
    return HttpServerResponse.jsonUnsafe(body("NOT_FOUND", message), { status: errorStatus.NOT_FOUND })
  }),
)

/** A defect costs its request a 500; the log has the cause. */
export const DefectsAsErrors = HttpRouter.middleware(
  (answer) =>
    Effect.catchCause(answer, (cause) =>
      Cause.hasDies(cause)
        ? Effect.as(
            Effect.logError("a request failed", cause),
            HttpServerResponse.jsonUnsafe(InternalError.hidden(), { status: errorStatus.INTERNAL_ERROR }),
          )
        : Effect.failCause(cause),
    ),
  { global: true },
)
