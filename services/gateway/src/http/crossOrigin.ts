/**
 * Who may read answers from a page of another origin: everybody, where an API key opens the door, for nothing here goes by cookies. What
 * operators and feeds use answers no browser but our own.
 */
import { API_KEY_HEADER } from "@matchpoint/contracts/http/Authentication"
import { HttpServerResponse } from "effect/http"
import { isLiteral } from "./literalPaths.ts"
import { REQUEST_ID_HEADER } from "./requestId.ts"

const closed = /^\/(?:admin|feed)(?:[/?]|$)/i

/** False for the paths of operators and feeds, and for spellings that no route has. */
export const isOpen = (url: string): boolean => !closed.test(url) && isLiteral(url)

export const anyOrigin = { "access-control-allow-origin": "*" } as const

/** For requests with an `Origin`. */
export const exposed = { "access-control-expose-headers": `etag,ratelimit,ratelimit-policy,retry-after,${REQUEST_ID_HEADER}` } as const

/** Clients of effect send the tracing headers with every request, clients of streams their cursor. */
const taken = ["authorization", "accept", "if-none-match", "last-event-id", "traceparent", "tracestate", "b3", "content-type"]

const DAY_SECONDS = 86_400

export const preflight = HttpServerResponse.empty({
  status: 204,
  headers: {
    "access-control-allow-methods": "GET, HEAD, POST, OPTIONS",
    "access-control-allow-headers": [API_KEY_HEADER, REQUEST_ID_HEADER, ...taken].join(","),
    "access-control-max-age": String(DAY_SECONDS),
  },
})
