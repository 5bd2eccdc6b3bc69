/**
 * Compresses bodies outside the event loop, a limited number at a time. The compressed form is kept as long as its
 * response, so a reused response is compressed once per coding. `contentEncoding` selects the coding.
 */
import { brotliCompress, constants, gzip } from "node:zlib"
import { weakOf } from "@matchpoint/game/edge/responses/entityTag"
import { keep } from "@matchpoint/game/edge/responses/reusedResponses"
import { HttpBody, HttpServerResponse } from "effect/http"
import { type Coding, isCompressible } from "./contentEncoding.ts"

type Response = HttpServerResponse.HttpServerResponse

/** A smaller body fits into one or two packets anyway. */
const MIN_BYTES = 1_024

/** Share of the original size. If the result is larger, the original is sent. `ResponseCache` relies on this limit. */
export const LARGEST_SHARE = 0.5

/** Two of libuv's 4 threads. The others are needed for writing the log and for DNS lookups. */
const THREADS = 2
/** Further responses are sent uncompressed. */
const MAX_WAITING = 64

/** A promise while compression is running, and the original response if compression is not worthwhile. */
type Form = Response | Promise<Response>

export class ResponseCompression {
  readonly #forms: Readonly<Record<Coding, WeakMap<Response, Form>>> = { br: new WeakMap(), gzip: new WeakMap() }
  readonly #waiting: Array<() => void> = []
  #running = 0

  /** Returns the response in a coding. A promise never rejects. */
  form(response: Response, coding: Coding): Form {
    const { body, headers } = response
    if (body._tag !== "Uint8Array" || body.contentLength < MIN_BYTES || !isCompressible(body.contentType)) return response
    if (headers["content-encoding"] !== undefined || response.status === 204 || response.status === 304) return response
    const forms = this.#forms[coding]
    const known = forms.get(response)
    if (known !== undefined) return known
    if (this.#waiting.length >= MAX_WAITING) return response
    const form = this.#compressed(response, body, coding).then((made) => {
      forms.set(response, made)
      return made
    })
    forms.set(response, form)
    return form
  }

  async #compressed(response: Response, body: HttpBody.Uint8Array, coding: Coding): Promise<Response> {
    if (this.#running < THREADS) this.#running += 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      const bytes = await compressed[coding](body.body)
      return bytes.byteLength > body.contentLength * LARGEST_SHARE ? response : encoded(response, bytes, body.contentType, coding)
    } catch {
      // Compression can only fail for lack of memory.
      return response
    } finally {
      // The thread goes to the next waiting response.
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }
}

/** The entity tag is weak, because the content is the same but the bytes differ from the uncompressed response. */
const encoded = (response: Response, bytes: Uint8Array, contentType: string, coding: Coding): Response => {
  const { etag } = response.headers
  const withBody = HttpServerResponse.setBody(response, HttpBody.uint8Array(bytes, contentType))
  return keep(
    HttpServerResponse.setHeaders(withBody, { "content-encoding": coding, ...(etag === undefined ? {} : { etag: weakOf(etag) }) }),
  )
}

const settle =
  (resolve: (bytes: Uint8Array) => void, reject: (error: Error) => void) =>
  (error: Error | null, bytes: Uint8Array): void =>
    error === null ? resolve(bytes) : reject(error)

/**
 * 0 to 11. At 5, brotli takes as long as gzip, and its output for documents is half as large. From 7 on, it takes ten
 * times as long.
 */
const QUALITY = 5

const compressed: Readonly<Record<Coding, (body: Uint8Array) => Promise<Uint8Array>>> = {
  br: (body) =>
    new Promise((resolve, reject) => {
      const params = {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
      }
      brotliCompress(body, { params }, settle(resolve, reject))
    }),
  gzip: (body) => new Promise((resolve, reject) => gzip(body, settle(resolve, reject))),
}
