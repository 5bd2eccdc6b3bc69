/**
 * Maps a request that does not match the contract to 400 and a failure of the server to 500, in the common error
 * format.
 */
import { HttpApiMiddleware } from "effect/http-api"
import { InternalError, ValidationError } from "./errors.ts"

export class RequestRules extends HttpApiMiddleware.Service<RequestRules>()("@matchpoint/contracts/http/RequestRules", {
  error: [ValidationError, InternalError],
}) {}
