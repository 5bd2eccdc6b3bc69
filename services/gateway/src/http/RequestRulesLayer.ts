/** Schema errors in requests as errors of the API. */
import { ValidationError } from "@matchpoint/contracts/http/errors"
import { RequestRules } from "@matchpoint/contracts/http/RequestRules"
import { Effect } from "effect"
import { type HttpApiEndpoint, type HttpApiError, HttpApiMiddleware } from "effect/http-api"
import { bodyFieldsOf } from "./expectedBody.ts"
import { expectedOf } from "./expectedParameter.ts"

const place = { Params: "path", Query: "query", Headers: "headers", Payload: "body" } as const

/** Longest description of a problem in a message, in characters. */
const MAX_ISSUE_LENGTH = 2_000

export const RequestRulesLayer = HttpApiMiddleware.layerSchemaErrorTransform(RequestRules, (error, { endpoint }) =>
  // "Body" and "ResponseHeaders": a response violates the contract, which is a bug in the server and no error of the client.
  error.kind === "Body" || error.kind === "ResponseHeaders" ? Effect.die(error) : Effect.fail(invalidRequest(error, endpoint, error.kind)),
)

const invalidRequest = (
  error: HttpApiError.HttpApiSchemaError,
  endpoint: HttpApiEndpoint.Top,
  kind: keyof typeof place,
): ValidationError => {
  const schema = kind === "Query" ? endpoint.query : kind === "Params" ? endpoint.params : undefined
  const wrong = expectedOf(error.cause, schema)
  const issue = error.cause.message.slice(0, MAX_ISSUE_LENGTH)
  if (wrong === undefined) {
    const fields = kind === "Payload" ? bodyFieldsOf(endpoint.payload) : undefined
    const expected = fields === undefined ? "" : `; expected ${fields}`
    return ValidationError.because(`the request's ${place[kind]} is invalid${expected}`, { issue })
  }
  const { expected, parameter } = wrong
  return ValidationError.because(`the ${place[kind]} parameter ${parameter} is invalid; expected ${expected}`, { parameter, expected })
}
