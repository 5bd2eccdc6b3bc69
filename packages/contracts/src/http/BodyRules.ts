/** Middleware for endpoints of the public API that read a request body: limits its size and reports unreadable bodies. */
import { HttpApiMiddleware } from "effect/http-api"
import { PayloadTooLarge, ValidationError } from "./errors.ts"

/** Larger bodies are rejected. */
export const MAX_BODY_BYTES = 64 * 1024

export class BodyRules extends HttpApiMiddleware.Service<BodyRules>()("@matchpoint/contracts/http/BodyRules", {
  error: [ValidationError, PayloadTooLarge],
}) {}
