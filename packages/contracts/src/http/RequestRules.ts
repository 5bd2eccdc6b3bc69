/** A request that does not fit the contract answers 400, and one that breaks on our side 500, in the shape of every other error. */
import { HttpApiMiddleware } from "effect/http-api"
import { InternalError, ValidationError } from "./errors.ts"

export class RequestRules extends HttpApiMiddleware.Service<RequestRules>()("@matchpoint/contracts/http/RequestRules", {
  error: [ValidationError, InternalError],
}) {}
