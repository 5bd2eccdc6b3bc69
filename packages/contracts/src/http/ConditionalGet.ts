/**
 * Middleware for conditional requests. Every response has a strong ETag, computed from its bytes. If the
 * `If-None-Match` header of a GET contains that ETag, the response is 304 without a body, and the request does not
 * count towards the quota. A computed response may be reused for a few seconds for all callers on the same plan. The
 * endpoints of the live section do not use this middleware, because their ETags identify a position in the stream.
 */
import { Context } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import type { Caller } from "./Authentication.ts"

/**
 * True if the responses of the group or endpoint change constantly. They are then computed for every request and never
 * reused. Default: false.
 */
export class NeverReused extends Context.Reference<boolean>("@matchpoint/contracts/http/ConditionalGet/Moving", {
  defaultValue: () => false,
}) {}

/**
 * True if the same URL always gives the same bytes. Such an endpoint handles `If-None-Match` itself, without the
 * middleware below, and clients may use a stored response without asking. Default: false.
 */
export class Immutable extends Context.Reference<boolean>("@matchpoint/contracts/http/ConditionalGet/Immutable", {
  defaultValue: () => false,
}) {}

export class ConditionalGet extends HttpApiMiddleware.Service<ConditionalGet, { provides: never; requires: Caller }>()(
  "@matchpoint/contracts/http/ConditionalGet",
) {}
