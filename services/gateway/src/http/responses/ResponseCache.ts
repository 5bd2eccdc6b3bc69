/**
 * Cache of recently computed responses, for identical requests. The size is limited in bytes; the least recently used
 * response is evicted first. The cache has no clock, so callers pass the time in monotonic milliseconds.
 */
import type { HttpServerResponse } from "effect/http"
import { LRUCache } from "lru-cache"
import { LARGEST_SHARE } from "./ResponseCompression.ts"

export interface CacheableResponse {
  readonly response: HttpServerResponse.HttpServerResponse
  readonly etag: string
  /** Size of the uncompressed response body, in bytes. */
  readonly bytes: number
}

interface CachedResponse extends CacheableResponse {
  readonly putAt: number
}

/** Approximate size of a cache entry without its body: headers, the objects around them and part of the key. */
const OVERHEAD_BYTES = 1_024

/**
 * Maximum size of one entry as a share of the total size of the cache. Larger entries are not stored, because each
 * would displace too many others.
 */
const LARGEST_ENTRY = 1 / 16

export class ResponseCache {
  readonly #keptMs: number
  readonly #answers: LRUCache<string, CachedResponse>

  /** `keptMs` is how long a response is reused, in milliseconds. If it is 0, responses are not cached. */
  constructor(maxBytes: number, keptMs: number) {
    this.#keptMs = keptMs
    this.#answers = new LRUCache({
      maxSize: maxBytes,
      maxEntrySize: Math.floor(maxBytes * LARGEST_ENTRY),
      sizeCalculation: (answer, key) => sizeOf(key, answer),
    })
  }

  get bytes(): number {
    return this.#answers.calculatedSize
  }

  get(key: string, now: number): CacheableResponse | undefined {
    const answer = this.#answers.get(key)
    if (answer === undefined || now - answer.putAt < this.#keptMs) return answer
    this.#answers.delete(key)
    return undefined
  }

  /**
   * Adds a response to the cache. The response expires `keptMs` after `startedAt`, the time at which its computation
   * started.
   */
  put(key: string, answer: CacheableResponse, startedAt: number): void {
    if (this.#keptMs > 0) this.#answers.set(key, { ...answer, putAt: startedAt })
  }
}

/**
 * Maximum total size of the bodies in one cache entry, as a multiple of the original body. The gzip and brotli forms
 * count too, because they stay in memory as long as the original.
 */
const FORMS = 1 + 2 * LARGEST_SHARE

const sizeOf = (key: string, { bytes }: CacheableResponse): number => FORMS * bytes + 2 * key.length + OVERHEAD_BYTES
