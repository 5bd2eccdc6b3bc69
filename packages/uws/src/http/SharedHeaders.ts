// Headers that many responses share: checked and joined into lines once. The headers of each single response are
// appended.
import { Headers, HttpServerResponse } from "effect/http"
import { blockOf, type HeaderBlock, type HeaderLines, headerLines } from "./responseHead.ts"

/** Headers of a single response. A `connection` header among them is ignored. */
export type OwnHeaders = Record<string, string>

export class SharedHeaders {
  readonly all: Readonly<Record<string, string>>
  #lines: HeaderLines | TypeError | undefined = undefined

  constructor(headers: Readonly<Record<string, string>>) {
    this.all = headers
  }

  /**
   * Returns the shared headers followed by `own`, for a response with a body. A `TypeError` names a header that must
   * not be sent.
   */
  block(own: Readonly<OwnHeaders>): HeaderBlock | TypeError | undefined {
    this.#lines ??= headerLines(this.all, false)
    if (this.#lines instanceof TypeError) return this.#lines
    // A header of the response replaces the shared one of the same name.
    for (const name in own) if (this.all[name] !== undefined) return blockOf(headerLines({ ...this.all, ...own }, false))
    return blockOf(headerLines(own, false, this.#lines))
  }
}

/** An Effect response with shared headers and its own. Reading `headers` merges them each time. */
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

/**
 * An own and enumerable property. Functions that derive a response, for example to set a cookie, copy the own
 * properties of the original.
 */
const allHeaders = {
  enumerable: true,
  get(this: LayeredResponse): Headers.Headers {
    return Headers.fromRecordUnsafe({ ...this.shared.all, ...this.own })
  },
}

/** Inherits everything else (pipe, inspection, type id) from Effect's responses. */
const Response: new (...of: ConstructorParameters<typeof LayeredResponse>) => HttpServerResponse.HttpServerResponse = Object.setPrototypeOf(
  LayeredResponse.prototype,
  Object.getPrototypeOf(HttpServerResponse.empty()),
).constructor

/** Returns the response with the shared headers and `own` in place of its previous headers. */
export const withHeaders = (
  response: HttpServerResponse.HttpServerResponse,
  shared: SharedHeaders,
  own: Readonly<OwnHeaders>,
): HttpServerResponse.HttpServerResponse => new Response(response, shared, own)
