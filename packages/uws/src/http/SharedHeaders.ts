// Owns headers that many responses have in common: checked and put together as lines once, with those of each response behind them.
import { Headers, HttpServerResponse } from "effect/http"
import { blockOf, type HeaderBlock, type HeaderLines, headerLines } from "./responseHead.ts"

/** Of one response. What becomes of the connection is not theirs to say. */
export type OwnHeaders = Record<string, string>

export class SharedHeaders {
  readonly all: Readonly<Record<string, string>>
  #lines: HeaderLines | TypeError | undefined = undefined

  constructor(headers: Readonly<Record<string, string>>) {
    this.all = headers
  }

  /** With `own` behind them, for a response with a body. A `TypeError` names a header that must not be sent. */
  block(own: Readonly<OwnHeaders>): HeaderBlock | TypeError | undefined {
    this.#lines ??= headerLines(this.all, false)
    if (this.#lines instanceof TypeError) return this.#lines
    // A line of its own replaces the shared one.
    for (const name in own) if (this.all[name] !== undefined) return blockOf(headerLines({ ...this.all, ...own }, false))
    return blockOf(headerLines(own, false, this.#lines))
  }
}

/** A response of effect whose headers are those, and its own. Whoever reads all of them pays for putting them together. */
export class LayeredResponse {
  readonly status: number
  readonly statusText: string | undefined
  readonly cookies: HttpServerResponse.HttpServerResponse["cookies"]
  readonly body: HttpServerResponse.HttpServerResponse["body"]
  readonly shared: SharedHeaders
  readonly own: Readonly<OwnHeaders>
  declare readonly headers: Headers.Headers

  constructor(
    { body, cookies, status, statusText }: HttpServerResponse.HttpServerResponse,
    shared: SharedHeaders,
    own: Readonly<OwnHeaders>,
  ) {
    this.status = status
    this.statusText = statusText
    this.cookies = cookies
    this.body = body
    this.shared = shared
    this.own = own
    Object.defineProperty(this, "headers", allHeaders)
  }
}

/** Of the response itself and enumerable: what sets a cookie, say, makes another response of what the one before has of its own. */
const allHeaders = {
  enumerable: true,
  get(this: LayeredResponse): Headers.Headers {
    return Headers.fromRecordUnsafe({ ...this.shared.all, ...this.own })
  },
}

/** What else responses can do (pipe, inspection, their mark) these have from effect's. */
const Response: new (...of: ConstructorParameters<typeof LayeredResponse>) => HttpServerResponse.HttpServerResponse = Object.setPrototypeOf(
  LayeredResponse.prototype,
  Object.getPrototypeOf(HttpServerResponse.empty()),
).constructor

/** The response with those headers, and `own`, instead of what it had. */
export const withHeaders = (
  response: HttpServerResponse.HttpServerResponse,
  shared: SharedHeaders,
  own: Readonly<OwnHeaders>,
): HttpServerResponse.HttpServerResponse => new Response(response, shared, own)
