/**
 * Access and cost of requests. Each request is checked in this order: the plan includes the endpoint, the key keeps its
 * rate limit, the monthly quota is not used up. Annotations on groups and endpoints declare what a single middleware
 * enforces.
 *
 * A response with data (2xx) costs one request. Status 304, errors and `Free` endpoints cost nothing. Every request
 * counts towards the rate limit.
 */
import type { Feature, Game } from "@matchpoint/domain/plans"
import { Context } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import type { Caller } from "./Authentication.ts"
import { GameNotIncluded, PlanRequired, QuotaExceeded, RateLimitExceeded, ServiceUnavailable } from "./errors.ts"

/** The game to which a group of endpoints belongs. Groups without it are available on every plan. */
export class Section extends Context.Service<Section, Game>()("@matchpoint/contracts/http/Metering/Section") {}

/** The feature that the caller must have as part of the plan or as an add-on. */
export class Needs extends Context.Service<Needs, Feature>()("@matchpoint/contracts/http/Metering/Needs") {}

/** Accepted even if the quota is used up. */
export class Free extends Context.Service<Free, true>()("@matchpoint/contracts/http/Metering/Free") {}

/** One request when the result is delivered for the first time, otherwise nothing. The handlers charge it. */
export class OnDelivery extends Context.Service<OnDelivery, true>()("@matchpoint/contracts/http/Metering/OnDelivery") {}

/** @effect-expect-leaking HttpServerRequest | ParsedSearchParams | RouteContext */
export class Metering extends HttpApiMiddleware.Service<Metering, { provides: never; requires: Caller }>()(
  "@matchpoint/contracts/http/Metering",
  { error: [PlanRequired, GameNotIncluded, RateLimitExceeded, QuotaExceeded, ServiceUnavailable] },
) {}
