// Headers that many responses share. They are validated and joined into lines once; each response appends its own.
import { Headers, HttpServerResponse } from "effect/http"
import { blockOf, type HeaderBlock, type HeaderLines, headerLines } from "./responseHead.ts"

/** A `connection` header among them is ignored. */
export type OwnHeaders = Record<string, string>

export class SharedHeaders {
  readonly all: Readonly<Record<string, string>>
  #lines: HeaderLines | TypeError | undefined = undefined

  constructor(headers: Readonly<Record<string, string>>) {
    this.all = headers
  }

  /** The shared headers followed by those in `own`, for a response with a body. A `TypeError` if a header must not be sent. */
  block(own: Readonly<OwnHeaders>): HeaderBlock | TypeError | undefined {
    this.#lines ??= headerLines(this.all, false)
    if (this.#lines instanceof TypeError) return this.#lines
    // `own` replaces shared headers of the same name.
    for (const name in own) if (this.all[name] !== undefined) return blockOf(headerLines({ ...this.all, ...own }, false))
    return blockOf(headerLines(own, false, this.#lines))
  }
}

/** Each access to `headers` merges the shared headers with the own ones again. */
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

/** Own and enumerable: functions that derive a response from another, to set a cookie for example, copy only these. */
const allHeaders = {
  enumerable: true,
  get(this: LayeredResponse): Headers.Headers {
    return Headers.fromRecordUnsafe({ ...this.shared.all, ...this.own })
  },
}

/** Inherits `pipe`, inspection and the type id from Effect's response class. */
const Response: new (...of: ConstructorParameters<typeof LayeredResponse>) => HttpServerResponse.HttpServerResponse = Object.setPrototypeOf(
  LayeredResponse.prototype,
  Object.getPrototypeOf(HttpServerResponse.empty()),
).constructor

/** A copy with the shared headers and `own`. */
export const withHeaders = (
  response: HttpServerResponse.HttpServerResponse,
  shared: SharedHeaders,
  own: Readonly<OwnHeaders>,
): HttpServerResponse.HttpServerResponse => new Response(response, shared, own)
