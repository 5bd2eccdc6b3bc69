/**
 * Conditional requests. Every response has a strong ETag of its bytes. A GET whose `If-None-Match` contains that ETag
 * gets 304 without a body, which costs no request of the quota. This middleware is for sections that compute every
 * response anew. Live reads have their own ETags, which identify a position in the stream. A computed response may be
 * reused for some seconds for all callers of the same plan.
 */
import { Context } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import type { Caller } from "./Authentication.ts"

/**
 * True if the responses of the group or endpoint change constantly. They are then computed for every request and never
 * reused.
 */
export class Moving extends Context.Reference<boolean>("@matchpoint/contracts/http/ConditionalGet/Moving", {
  defaultValue: () => false,
}) {}

export class ConditionalGet extends HttpApiMiddleware.Service<ConditionalGet, { provides: never; requires: Caller }>()(
  "@matchpoint/contracts/http/ConditionalGet",
) {}
