// Copy of the request that opens a WebSocket or SSE connection. The native request becomes invalid when the route
// callback returns, but the handler may need it later.

import type { HttpRequest, HttpResponse } from "uWebSockets.js"
import type { Headers } from "effect/http"
import { formatRemoteAddress } from "./remoteAddress.ts"
import { readHeaders } from "./requestHeaders.ts"

export class UpgradeRequest {
  /** Path and query, still percent-encoded. */
  readonly url: string
  /** Path without the query, still percent-encoded. */
  readonly path: string
  /** Path parameters (such as `game` in `/ws/:game`), percent-decoded. A value that cannot be decoded stays unchanged. */
  readonly params: Readonly<Record<string, string>>
  /** Names are in lower case. Headers that occur several times are joined as in node:http. */
  readonly headers: Headers.Headers
  /** Undefined if the peer has already disconnected. */
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

/** Parameter names in order: `["game", "id"]` for `/ws/:game/:id`. */
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
