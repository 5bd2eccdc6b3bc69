/**
 * Compresses the bodies of answers, away from the event loop. The compressed form of an answer lives as long as the answer itself: one that
 * is given again is compressed once per coding. Owns the bound on concurrent work. Does not own negotiation (contentEncoding).
 */
import { brotliCompress, constants, gzip } from "node:zlib"
import { HttpBody, HttpServerResponse } from "effect/http"
import { type Coding, isCompressible } from "./contentEncoding.ts"
import { weakOf } from "./entityTag.ts"
import { keep } from "./keptAnswers.ts"

type Response = HttpServerResponse.HttpServerResponse

/** Smaller bodies fit a packet or two. */
const MIN_BYTES = 1_024

/** A compressed form above this share of the body is not worth its headers, and is not sent. `AnswerShelf` counts on it. */
export const LARGEST_SHARE = 0.5

/** libuv has 4 threads; the log and DNS need theirs. */
const THREADS = 2
/** Answers that may wait for a thread. Further ones go uncompressed. */
const MAX_WAITING = 64

/** An answer's form in one coding: the answer itself if compression does not pay, a promise while it is made. */
type Form = Response | Promise<Response>

export class AnswerCompression {
  readonly #forms: Readonly<Record<Coding, WeakMap<Response, Form>>> = { br: new WeakMap(), gzip: new WeakMap() }
  readonly #waiting: Array<() => void> = []
  #running = 0

  /** The answer in the coding. A promise, which never fails, where it is yet to be compressed. */
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
      // Out of memory is all that can go wrong here: the answer as it is serves as well.
      return response
    } finally {
      // The next one takes over the place.
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }
}

/** Its entity tag is weak: the same answer in other bytes. */
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

/** Of 0 to 11. At 5 brotli takes as long as gzip and its output is half as large on documents; from 7 on it takes ten times as long. */
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
