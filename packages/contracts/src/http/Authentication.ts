/** Who is calling. The rule of the API: a key on every request, in the header `x-api-key` or as a bearer token. */
import type { Customer } from "@matchpoint/domain/accounts"
import { Context } from "effect"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { API_KEY_HEADER } from "./apiRoot.ts"
import { InvalidApiKey, ServiceUnavailable, TooManyHandshakes } from "./errors.ts"

export { API_KEY_HEADER } from "./apiRoot.ts"

/** The key's owner and what he has agreed to. */
export class Caller extends Context.Service<Caller, Customer>()("@matchpoint/contracts/http/Authentication/Caller") {}

/** @effect-expect-leaking HttpServerRequest | ParsedSearchParams | RouteContext */
export class Authentication extends HttpApiMiddleware.Service<Authentication, { provides: Caller; requires: never }>()(
  "@matchpoint/contracts/http/Authentication",
  {
    error: [InvalidApiKey, TooManyHandshakes, ServiceUnavailable],
    security: { apiKey: HttpApiSecurity.apiKey({ key: API_KEY_HEADER, in: "header" }), bearer: HttpApiSecurity.bearer },
  },
) {}
