/**
 * Admission and cost of requests. A request is checked for the entitlement of the plan, then for the rate of the key,
 * then for the monthly quota. Annotations on groups and endpoints name their section and the feature they require. One
 * middleware enforces all of them.
 *
 * A response with data (2xx) costs one request. 304, errors and `Free` endpoints cost nothing. The rate counts every
 * request.
 */
import type { Feature, Game } from "@matchpoint/domain/plans"
import { Context } from "effect"
import { HttpApiMiddleware } from "effect/http-api"
import type { Caller } from "./Authentication.ts"
import { GameNotIncluded, PlanRequired, QuotaExceeded, RateLimitExceeded, ServiceUnavailable } from "./errors.ts"

/** The section of a group. A group without this annotation belongs to no section, and every plan may use it. */
export class Section extends Context.Service<Section, Game>()("@matchpoint/contracts/http/Metering/Section") {}

/** The feature that the caller's plan must include or have as an add-on. */
export class Needs extends Context.Service<Needs, Feature>()("@matchpoint/contracts/http/Metering/Needs") {}

/** True if requests cost nothing and do not depend on the quota. */
export class Free extends Context.Service<Free, true>()("@matchpoint/contracts/http/Metering/Free") {}

/** @effect-expect-leaking HttpServerRequest | ParsedSearchParams | RouteContext */
export class Metering extends HttpApiMiddleware.Service<Metering, { provides: never; requires: Caller }>()(
  "@matchpoint/contracts/http/Metering",
  { error: [PlanRequired, GameNotIncluded, RateLimitExceeded, QuotaExceeded, ServiceUnavailable] },
) {}
