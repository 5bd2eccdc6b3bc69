// Owns what a WebSocket or SSE handler may know about the request that opens the connection.
// A copy: the native request dies when its route callback returns, while a decision about it may take a while.

import type { HttpRequest, HttpResponse } from "uWebSockets.js"
import type { Headers } from "effect/http"
import { formatRemoteAddress } from "./remoteAddress.ts"
import { readHeaders } from "./requestHeaders.ts"

export class UpgradeRequest {
  /** Path and query as the client sent them, still percent-encoded. */
  readonly url: string
  /** The path alone, still percent-encoded. */
  readonly path: string
  /** Named path parameters of the route (`/ws/:game`), percent-decoded; undecodable text stays as it is. */
  readonly params: Readonly<Record<string, string>>
  /** Names in lower case; repeated lines joined as node:http does. */
  readonly headers: Headers.Headers
  /** Text form of the peer's IP address; undefined when the peer left already. */
  readonly remoteAddress: string | undefined
  readonly #queryText: string
  #query: URLSearchParams | undefined

  constructor(response: HttpResponse, request: HttpRequest, paramNames: ReadonlyArray<string>) {
    this.path = request.getUrl()
    this.#queryText = request.getQuery() ?? ""
    this.url = this.#queryText === "" ? this.path : `${this.path}?${this.#queryText}`
    this.headers = readHeaders(request)
    this.remoteAddress = formatRemoteAddress(response.getRemoteAddress())
    this.params = readParams(request, paramNames)
  }

  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.#queryText)
    return this.#query
  }
}

/** The parameter names of a route pattern, in order: `/ws/:game/:id` gives `["game", "id"]`. */
export const paramNamesOf = (pattern: string): ReadonlyArray<string> =>
  pattern
    .split("/")
    .filter((segment) => segment.startsWith(":"))
    .map((segment) => segment.slice(1))

const readParams = (request: HttpRequest, names: ReadonlyArray<string>): Record<string, string> => {
  const params: Record<string, string> = {}
  for (const [index, name] of names.entries()) {
    params[name] = decode(request.getParameter(index) ?? "")
  }
  return params
}

const decode = (text: string): string => {
  if (!text.includes("%")) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
