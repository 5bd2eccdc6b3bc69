/**
 * Answers carry a strong ETag of their bytes, and a GET that names it in `If-None-Match` gets 304 and no body, which costs no request of
 * the quota. For sections whose answers are computed anew each time; live reads have tags of their own, which say where the stream is.
 * An answer may be given again for some seconds after it was computed, to everybody of the same plan.
 */
import { Context } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import type { Caller } from "./Authentication.ts"

/** True: what the group or endpoint answers moves all the time, and is computed for everyone who asks. */
export class Moving extends Context.Reference<boolean>("@matchpoint/contracts/http/ConditionalGet/Moving", {
  defaultValue: () => false,
}) {}

export class ConditionalGet extends HttpApiMiddleware.Service<ConditionalGet, { provides: never; requires: Caller }>()(
  "@matchpoint/contracts/http/ConditionalGet",
) {}
