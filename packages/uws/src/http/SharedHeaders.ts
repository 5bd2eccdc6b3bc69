// Owns headers that many responses have in common: checked and put together as lines once, with those of each response behind them.
import { Headers, HttpServerResponse } from "effect/http"
import * as HeadBytes from "./HeadBytes.ts"
import type { HeadValue } from "./HeadText.ts"
import { blockOf, type HeaderBlock, type HeaderLines, headerLines, headerOf } from "./responseHead.ts"

/** Of one response. What becomes of the connection is not theirs to say. */
export type OwnHeaders = Record<string, HeadValue>

export class SharedHeaders {
  readonly all: Readonly<Record<string, string>>
  #lines: HeaderLines | TypeError | undefined = undefined
  #bytes: SharedBytes | undefined = undefined

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

  /** The same, to be written before the next is asked for. */
  blockForNow(own: Readonly<OwnHeaders>): HeaderBlock | TypeError | undefined {
    // Most are asked once.
    if (this.#lines === undefined) return this.block(own)
    this.#bytes ??= new SharedBytes(this.all, this.#lines)
    return this.#bytes.with(own) ?? this.block(own)
  }
}

class SharedBytes {
  readonly #names: ReadonlySet<string>
  /** The name of the first line, which is not in the others. */
  readonly #first: string
  /** Undefined: not all of it is ASCII, or it is none at all. */
  readonly #lines: Uint8Array | undefined

  constructor(headers: Readonly<Record<string, string>>, lines: HeaderLines | TypeError) {
    const areBytes = !(lines instanceof TypeError) && lines.isPlain && lines.first !== ""
    this.#names = new Set(Object.keys(headers))
    this.#first = areBytes ? lines.first : ""
    this.#lines = areBytes ? Buffer.from(lines.text, "latin1") : undefined
  }

  /** Undefined: they have to be put together as text. */
  with(own: Readonly<OwnHeaders>): HeaderBlock | undefined {
    if (this.#lines === undefined || !HeadBytes.begin(this.#lines)) return undefined
    for (const name in own) {
      const header = headerOf(name)
      const value = own[name]
      if (header === undefined || header.isNative || value === undefined || this.#names.has(name)) return undefined
      if (!HeadBytes.put(header.leadBytes) || !HeadBytes.write(value)) return undefined
    }
    return { name: this.#first, value: HeadBytes.written() }
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
