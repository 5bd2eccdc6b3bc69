// Converts the header lines of a native request to an Effect `Headers` record. Callers decide when: a native request is
// readable only inside its route callback (see `Exchange` and `UpgradeRequest`).

import type { HttpRequest } from "uWebSockets.js"
import { Headers } from "effect/http"

/**
 * Headers of which only the first line is used if they are repeated. All others are joined. node:http has the same
 * list, so both servers agree.
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

// One callback for all requests instead of a closure per request. `forEach` is synchronous, so it cannot be re-entered.
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
