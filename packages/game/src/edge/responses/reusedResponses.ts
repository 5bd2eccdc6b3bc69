/** Caches the headers of responses that are sent to many clients, as long as the response exists. */
import type { SharedHeaders } from "@matchpoint/uws/http/SharedHeaders"
import type { HttpServerResponse } from "effect/http"

const kept = new WeakMap<HttpServerResponse.HttpServerResponse, { headers: SharedHeaders | undefined }>()

/** Call this once for a response that will be sent more than once. */
export const keep = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
  kept.set(response, { headers: undefined })
  return response
}

/** For responses marked by `keep`, the headers are computed only once, so all calls must pass the same `headersOf`. */
export const keptHeaders = (
  response: HttpServerResponse.HttpServerResponse,
  headersOf: (response: HttpServerResponse.HttpServerResponse) => SharedHeaders,
): SharedHeaders => {
  const known = kept.get(response)
  if (known === undefined) return headersOf(response)
  known.headers ??= headersOf(response)
  return known.headers
}
