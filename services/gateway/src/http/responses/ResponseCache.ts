/**
 * Recently computed responses, limited in bytes; the least recently used one is evicted first. Callers pass the time in
 * monotonic milliseconds.
 */
import type { HttpServerResponse } from "effect/http"
import { LRUCache } from "lru-cache"
import { LARGEST_SHARE } from "./ResponseCompression.ts"

export interface CacheableResponse {
  readonly response: HttpServerResponse.HttpServerResponse
  readonly etag: string
  /** Size of the uncompressed body. */
  readonly bytes: number
}

interface CachedResponse extends CacheableResponse {
  readonly putAt: number
}

/** Approximate size of an entry without its body: headers, the objects around them and part of the key. */
const OVERHEAD_BYTES = 1_024

/** Share of the cache. A larger entry is not stored, because it would displace too many others. */
const LARGEST_ENTRY = 1 / 16

export class ResponseCache {
  readonly #keptMs: number
  readonly #answers: LRUCache<string, CachedResponse>

  /** `keptMs` is how long a response is reused; 0 disables the cache. */
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

  /** Expires `keptMs` after `startedAt`, the start of its computation. */
  put(key: string, answer: CacheableResponse, startedAt: number): void {
    if (this.#keptMs > 0) this.#answers.set(key, { ...answer, putAt: startedAt })
  }
}

/** Bodies of one entry, as a multiple of the original body. The gzip and brotli forms stay in memory as long as it. */
const FORMS = 1 + 2 * LARGEST_SHARE

const sizeOf = (key: string, { bytes }: CacheableResponse): number => FORMS * bytes + 2 * key.length + OVERHEAD_BYTES
