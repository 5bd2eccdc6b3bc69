// Owns headers that many responses have in common: checked and put together as lines once, with those of each response behind them.
import { Headers, HttpServerResponse } from "effect/http"
import * as HeadBytes from "./HeadBytes.ts"
import type { HeadValue } from "./HeadText.ts"
import { blockOf, type HeaderBlock, type HeaderLines, headerLines, headerOf } from "./responseHead.ts"

/** Of one response. What becomes of the connection is not theirs to say. */
export type OwnHeaders = Record<string, HeadValue>

export class SharedHeaders {
  readonly all: Readonly<Record<string, string>>
  readonly #names: ReadonlySet<string>
  #lines: HeaderLines | TypeError | undefined = undefined
  /** Of the lines, where all of them are ASCII. */
  #bytes: Uint8Array | undefined = undefined

  constructor(headers: Readonly<Record<string, string>>) {
    this.all = headers
    this.#names = new Set(Object.keys(headers))
  }

  /** With `own` behind them, for a response with a body. A `TypeError` names a header that must not be sent. */
  block(own: Readonly<OwnHeaders>): HeaderBlock | TypeError | undefined {
    const shared = this.#shared()
    if (shared instanceof TypeError) return shared
    // A line of its own replaces the shared one.
    for (const name in own) if (this.#names.has(name)) return blockOf(headerLines({ ...this.all, ...own }, false))
    return blockOf(headerLines(own, false, shared))
  }

  /** The same, to be written before the next is asked for. */
  blockForNow(own: Readonly<OwnHeaders>): HeaderBlock | TypeError | undefined {
    const shared = this.#shared()
    if (shared instanceof TypeError || this.#bytes === undefined || !HeadBytes.begin(this.#bytes)) return this.block(own)
    for (const name in own) {
      const header = headerOf(name)
      const value = own[name]
      if (header === undefined || header.isNative || value === undefined || this.#names.has(name)) return this.block(own)
      if (!HeadBytes.put(header.leadBytes) || !HeadBytes.write(value)) return this.block(own)
    }
    return { name: shared.first, value: HeadBytes.written() }
  }

  #shared(): HeaderLines | TypeError {
    if (this.#lines === undefined) {
      const lines = headerLines(this.all, false)
      this.#lines = lines
      if (!(lines instanceof TypeError) && lines.isPlain && lines.first !== "") this.#bytes = Buffer.from(lines.text, "latin1")
    }
    return this.#lines
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
    const own = Object.entries(this.own).map(([name, value]) => [name, String(value)] as const)
    return Headers.fromRecordUnsafe({ ...this.shared.all, ...Object.fromEntries(own) })
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
