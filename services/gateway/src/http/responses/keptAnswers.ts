/** Answers that are given to many: what is said with all of them is put together once, and lives as long as they do. */
import type { SharedHeaders } from "@matchpoint/uws/http/SharedHeaders"
import type { HttpServerResponse } from "effect/http"

const kept = new WeakMap<HttpServerResponse.HttpServerResponse, { headers: SharedHeaders | undefined }>()

/** To be called once with an answer that will be given again. */
export const keep = (response: HttpServerResponse.HttpServerResponse): HttpServerResponse.HttpServerResponse => {
  kept.set(response, { headers: undefined })
  return response
}

/** What `headersOf` makes of the answer: always the same `headersOf`. */
export const keptHeaders = (
  response: HttpServerResponse.HttpServerResponse,
  headersOf: (response: HttpServerResponse.HttpServerResponse) => SharedHeaders,
): SharedHeaders => {
  const known = kept.get(response)
  if (known === undefined) return headersOf(response)
  known.headers ??= headersOf(response)
  return known.headers
}
