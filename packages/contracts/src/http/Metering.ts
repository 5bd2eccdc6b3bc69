/**
 * What a request costs and what it takes to be let in: entitlement first, then the key's rate, then the month's quota. Groups and
 * endpoints say by annotation which section they are and which feature they need; one middleware holds all of them to it.
 *
 * An answer with a body of data (2xx) costs one request. 304, every error and `Free` endpoints cost nothing; the rate counts them all.
 */
import type { Feature, Game } from "@matchpoint/domain/plans"
import { Context } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import type { Caller } from "./Authentication.ts"
import { GameNotIncluded, PlanRequired, QuotaExceeded, RateLimitExceeded, ServiceUnavailable } from "./errors.ts"

/** The section of a group; without one it belongs to none and every plan may use it. */
export class Section extends Context.Service<Section, Game>()("@matchpoint/contracts/http/Metering/Section") {}

/** The feature that a plan must have, or have bought. */
export class Needs extends Context.Service<Needs, Feature>()("@matchpoint/contracts/http/Metering/Needs") {}

/** True: costs nothing, whatever the quota. */
export class Free extends Context.Service<Free, true>()("@matchpoint/contracts/http/Metering/Free") {}

/** @effect-expect-leaking HttpServerRequest | ParsedSearchParams | RouteContext */
export class Metering extends HttpApiMiddleware.Service<Metering, { provides: never; requires: Caller }>()(
  "@matchpoint/contracts/http/Metering",
  { error: [PlanRequired, GameNotIncluded, RateLimitExceeded, QuotaExceeded, ServiceUnavailable] },
) {}
