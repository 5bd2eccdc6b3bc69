/** Error responses in the common format: 400 if the request violates the contract, and 500 if the server fails. */
import { HttpApiMiddleware } from "effect/http-api"
import { InternalError, ValidationError } from "./errors.ts"

export class RequestRules extends HttpApiMiddleware.Service<RequestRules>()("@matchpoint/contracts/http/RequestRules", {
  error: [ValidationError, InternalError],
}) {}
