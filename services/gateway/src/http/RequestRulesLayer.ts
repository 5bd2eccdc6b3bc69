/** Converts schema errors in requests to the error body of the API. */
import { ValidationError } from "@matchpoint/contracts/http/errors"
import { RequestRules } from "@matchpoint/contracts/http/RequestRules"
import { Effect } from "effect"
import { HttpApiMiddleware } from "effect/http-api"

const place = { Params: "path", Query: "query", Headers: "headers", Payload: "body" } as const

export const RequestRulesLayer = HttpApiMiddleware.layerSchemaErrorTransform(RequestRules, (error) =>
  // Errors of the kinds "Body" and "ResponseHeaders" mean that a response of this server violates the contract. They
  // are bugs in the server, not errors of the client.
  error.kind === "Body" || error.kind === "ResponseHeaders"
    ? Effect.die(error)
    : Effect.fail(
        ValidationError.because(`the request's ${place[error.kind]} is invalid`, {
          issue: error.cause.message.slice(0, 2_000),
        }),
      ),
)
