/**
 * Access and cost of requests. Each request is checked in this order: whether the plan includes the endpoint, whether
 * the key exceeds its rate limit, and whether the monthly quota is used up. Annotations on groups and endpoints declare
 * their section and the feature that they require. A single middleware enforces all of these rules.
 *
 * A response with data (2xx) costs one request. Responses with status 304, errors, and responses of `Free` endpoints
 * cost nothing. The handlers of `OnDelivery` endpoints charge for what they deliver. Every request counts towards the rate limit, even if it costs nothing.
 */
import type { Feature, Game } from "@matchpoint/domain/plans"
import { Context } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import type { Caller } from "./Authentication.ts"
import { GameNotIncluded, PlanRequired, QuotaExceeded, RateLimitExceeded, ServiceUnavailable } from "./errors.ts"

/**
 * The section of the API, that is, the game, to which a group of endpoints belongs. Groups without this annotation
 * belong to no section and are available on every plan.
 */
export class Section extends Context.Service<Section, Game>()("@matchpoint/contracts/http/Metering/Section") {}

/** The feature that an endpoint requires. The caller must have it as part of the plan or as an add-on. */
export class Needs extends Context.Service<Needs, Feature>()("@matchpoint/contracts/http/Metering/Needs") {}

/** Annotation of endpoints whose requests cost nothing and are accepted even if the quota is used up. */
export class Free extends Context.Service<Free, true>()("@matchpoint/contracts/http/Metering/Free") {}

/**
 * Annotation of endpoints that cost one request when they deliver their result for the first time, and otherwise
 * nothing. Their handlers charge the request.
 */
export class OnDelivery extends Context.Service<OnDelivery, true>()("@matchpoint/contracts/http/Metering/OnDelivery") {}

/** @effect-expect-leaking HttpServerRequest | ParsedSearchParams | RouteContext */
export class Metering extends HttpApiMiddleware.Service<Metering, { provides: never; requires: Caller }>()(
  "@matchpoint/contracts/http/Metering",
  { error: [PlanRequired, GameNotIncluded, RateLimitExceeded, QuotaExceeded, ServiceUnavailable] },
) {}
