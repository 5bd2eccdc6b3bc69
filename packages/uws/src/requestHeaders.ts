// Converts the header lines of a native request to an Effect `Headers` record. Callers must do this inside the route
// callback, because the native request cannot be read afterwards (see `Exchange` and `UpgradeRequest`).

import type { HttpRequest } from "uWebSockets.js"
import { Headers } from "effect/http"

/**
 * Headers of which only the first line is used if they are repeated. Repeated lines of all other headers are joined.
 * node:http uses the same list, so both servers behave the same.
 */
const singletons = new Set([
  "age",
  "authorization",
  "content-length",
  "content-type",
  "etag",
  "expires",
  "from",
  "host",
  "if-modified-since",
  "if-unmodified-since",
  "last-modified",
  "location",
  "max-forwards",
  "proxy-authorization",
  "referer",
  "retry-after",
  "server",
  "user-agent",
])

const headersPrototype: object = Object.getPrototypeOf(Headers.empty)

// All requests share a single callback, which avoids allocating a closure per request. It cannot be re-entered, because
// `forEach` is synchronous.
let target: Record<string, string> = {}
const collect = (name: string, value: string) => {
  const existing = target[name]
  if (existing === undefined) {
    target[name] = value
  } else if (!singletons.has(name)) {
    target[name] = existing + (name === "cookie" ? "; " : ", ") + value
  }
}

/** Copies every header. Costs one native call plus about 0.1 us per line. */
export const readHeaders = (request: HttpRequest): Headers.Headers => {
  const headers = Object.create(headersPrototype)
  target = headers
  request.forEach(collect)
  return headers
}
