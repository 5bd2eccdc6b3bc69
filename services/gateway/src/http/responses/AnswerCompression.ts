/**
 * Compresses response bodies outside the event loop. A compressed form lives as long as its response, so a reused
 * response is compressed once per coding. Limits concurrent work. Which coding is used is decided in `contentEncoding`.
 */
import { brotliCompress, constants, gzip } from "node:zlib"
import { HttpBody, HttpServerResponse } from "effect/http"
import { type Coding, isCompressible } from "./contentEncoding.ts"
import { weakOf } from "./entityTag.ts"
import { keep } from "./keptAnswers.ts"

type Response = HttpServerResponse.HttpServerResponse

/** Smallest body that is compressed. Smaller ones fit into one or two packets. */
const MIN_BYTES = 1_024

/**
 * Largest compressed size that is worth sending, as a share of the original size. Larger results are discarded.
 * `AnswerShelf` relies on this bound.
 */
export const LARGEST_SHARE = 0.5

/** Threads used for compression. libuv has 4, and the log and DNS need the others. */
const THREADS = 2
/** Responses that may wait for a thread. Further responses are sent uncompressed. */
const MAX_WAITING = 64

/**
 * A response in one coding: a promise while it is being compressed, the original response if compression does not pay.
 */
type Form = Response | Promise<Response>

export class AnswerCompression {
  readonly #forms: Readonly<Record<Coding, WeakMap<Response, Form>>> = { br: new WeakMap(), gzip: new WeakMap() }
  readonly #waiting: Array<() => void> = []
  #running = 0

  /**
   * Returns the response in the given coding. Returns a promise, which never rejects, if it still has to be compressed.
   */
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
      // Compression can only fail for lack of memory. The uncompressed response is sent instead.
      return response
    } finally {
      // The next waiting response takes over this thread.
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }
}

/** Builds the compressed response. Its entity tag is weak, because the same content has different bytes. */
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
 * Brotli quality, 0 to 11. At 5, brotli takes as long as gzip and its output for documents is half as large. From 7 on,
 * it takes ten times as long.
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
