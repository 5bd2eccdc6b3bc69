/** Every request needs an API key, in the header `x-api-key` or as a bearer token. */
import type { Customer } from "@matchpoint/domain/accounts"
import { Context } from "effect"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { API_KEY_HEADER } from "./apiRoot.ts"
import { InvalidApiKey, ServiceUnavailable, TooManyHandshakes } from "./errors.ts"

export { API_KEY_HEADER } from "./apiRoot.ts"

/** The customer that owns the API key of the request, with the terms of its plan. */
export class Caller extends Context.Service<Caller, Customer>()("@matchpoint/contracts/http/Authentication/Caller") {}

/** @effect-expect-leaking HttpServerRequest | ParsedSearchParams | RouteContext */
export class Authentication extends HttpApiMiddleware.Service<Authentication, { provides: Caller; requires: never }>()(
  "@matchpoint/contracts/http/Authentication",
  {
    error: [InvalidApiKey, TooManyHandshakes, ServiceUnavailable],
    security: { apiKey: HttpApiSecurity.apiKey({ key: API_KEY_HEADER, in: "header" }), bearer: HttpApiSecurity.bearer },
  },
) {}
