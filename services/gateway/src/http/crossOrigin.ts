/**
 * Cross-origin access (CORS). Pages of any origin may read responses, even those that require an API key, because no
 * endpoint uses cookies. Paths for operators and feeds cannot be read across origins.
 *
 * Effect's `HttpMiddleware.cors` is not used: it adds the list of readable headers even without an `Origin`, it cannot
 * exclude paths, and it copies the headers of every response.
 */
import { API_KEY_HEADER } from "@matchpoint/contracts/http/Authentication"
import { isLiteral } from "@matchpoint/process/http/literalPaths"
import { REQUEST_ID_HEADER } from "@matchpoint/process/http/requestId"
import { HttpServerResponse } from "effect/http"
import { NOTICE_HEADER } from "./responses/ArchiveNotice.ts"

const closed = /^\/(?:admin|feed)(?:[/?]|$)/i

/**
 * True if web pages of other origins may read the path: not those of operators and feeds, nor those with a spelling
 * that no route uses, e.g. double slashes.
 */
export const isOpen = (url: string): boolean => !closed.test(url) && isLiteral(url)

export const anyOrigin = { "access-control-allow-origin": "*" } as const

/** Response headers that web pages may read. Added if the request has an `Origin` header. */
export const exposed = {
  "access-control-expose-headers": `etag,ratelimit,ratelimit-policy,retry-after,${NOTICE_HEADER},${REQUEST_ID_HEADER}`,
} as const

/** Clients built with effect send the tracing headers with every request. Stream clients send their cursor in `last-event-id`. */
const taken = [
  "authorization",
  "accept",
  "if-none-match",
  "last-event-id",
  "traceparent",
  "tracestate",
  "b3",
  "content-type",
  "idempotency-key",
]

const DAY_SECONDS = 86_400

export const preflight = HttpServerResponse.empty({
  status: 204,
  headers: {
    "access-control-allow-methods": "GET, HEAD, POST, PATCH, DELETE, OPTIONS",
    "access-control-allow-headers": [API_KEY_HEADER, REQUEST_ID_HEADER, ...taken].join(","),
    "access-control-max-age": String(DAY_SECONDS),
  },
})
