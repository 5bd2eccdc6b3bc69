/** Who is calling. The rule of the API: a key on every request, in the header `x-api-key` or as a bearer token. */
import type { Plan } from "@matchpoint/domain/plans"
import { Context } from "effect"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { ServiceUnavailable, Unauthorized } from "./errors.ts"

export const API_KEY_HEADER = "x-api-key"

/** The key's owner, as far as an endpoint needs to know. */
export class Caller extends Context.Service<Caller, { readonly keyId: string; readonly plan: Plan }>()(
  "@matchpoint/contracts/http/Authentication/Caller",
) {}

/** @effect-expect-leaking HttpServerRequest | ParsedSearchParams | RouteContext */
export class Authentication extends HttpApiMiddleware.Service<Authentication, { provides: Caller; requires: never }>()(
  "@matchpoint/contracts/http/Authentication",
  {
    error: [Unauthorized, ServiceUnavailable],
    security: { apiKey: HttpApiSecurity.apiKey({ key: API_KEY_HEADER, in: "header" }), bearer: HttpApiSecurity.bearer },
  },
) {}
