/**
 * Middleware for conditional requests. Every response has a strong ETag, computed from its bytes. If `If-None-Match` of
 * a GET contains it, the response is 304 without a body and costs no quota. A computed response may be reused for a few
 * seconds for all callers on the same plan. The live section has ETags of its own, which identify a position in the
 * stream.
 */
import { Context } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import type { Caller } from "./Authentication.ts"

/** True if the responses change constantly. They are then computed for every request. Default: false. */
export class NeverReused extends Context.Reference<boolean>("@matchpoint/contracts/http/ConditionalGet/Moving", {
  defaultValue: () => false,
}) {}

/**
 * True if the same URL always gives the same bytes. Such an endpoint handles `If-None-Match` itself, and clients may
 * use a stored response without asking. Default: false.
 */
export class Immutable extends Context.Reference<boolean>("@matchpoint/contracts/http/ConditionalGet/Immutable", {
  defaultValue: () => false,
}) {}

export class ConditionalGet extends HttpApiMiddleware.Service<ConditionalGet, { provides: never; requires: Caller }>()(
  "@matchpoint/contracts/http/ConditionalGet",
) {}
