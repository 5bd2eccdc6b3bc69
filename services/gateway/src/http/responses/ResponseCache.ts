/**
 * Cache of recently computed responses, for identical requests. The size is limited in bytes; the least recently used
 * response is evicted first. The cache has no clock, so callers pass the time in monotonic milliseconds.
 */
import type { HttpServerResponse } from "effect/http"
import { LARGEST_SHARE } from "./ResponseCompression.ts"

export interface ShelvedAnswer {
  readonly response: HttpServerResponse.HttpServerResponse
  readonly etag: string
  /** Size of the uncompressed response body, in bytes. */
  readonly bytes: number
}

interface Shelved extends ShelvedAnswer {
  readonly putAt: number
}

/** Approximate size of a cache entry without its body: headers, the objects around them and part of the key. */
const OVERHEAD_BYTES = 1_024

export class ResponseCache {
  readonly #maxBytes: number
  readonly #keptMs: number
  /** Cached responses by key, in order of use. The most recently used response is last. */
  readonly #answers = new Map<string, Shelved>()
  #bytes = 0

  /** `keptMs` is how long a response is reused, in milliseconds. If it is 0, responses are not cached. */
  constructor(maxBytes: number, keptMs: number) {
    this.#maxBytes = maxBytes
    this.#keptMs = keptMs
  }

  get bytes(): number {
    return this.#bytes
  }

  get(key: string, now: number): ShelvedAnswer | undefined {
    const answer = this.#answers.get(key)
    if (answer === undefined) return undefined
    this.#answers.delete(key)
    if (now - answer.putAt < this.#keptMs) {
      this.#answers.set(key, answer)
      return answer
    }
    this.#bytes -= sizeOf(key, answer)
    return undefined
  }

  /**
   * Adds a response to the cache. The response expires `keptMs` after `askedAt`, the time at which its computation
   * started.
   */
  put(key: string, answer: ShelvedAnswer, askedAt: number): void {
    const size = sizeOf(key, answer)
    if (this.#keptMs <= 0 || size > this.#maxBytes / 16) return
    this.#remove(key)
    this.#answers.set(key, { ...answer, putAt: askedAt })
    this.#bytes += size
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= this.#maxBytes) return
      this.#remove(oldest)
    }
  }

  #remove(key: string): void {
    const answer = this.#answers.get(key)
    if (answer === undefined) return
    this.#answers.delete(key)
    this.#bytes -= sizeOf(key, answer)
  }
}

/**
 * Maximum total size of the bodies in one cache entry, as a multiple of the original body. The gzip and brotli forms
 * count too, because they stay in memory as long as the original.
 */
const FORMS = 1 + 2 * LARGEST_SHARE

const sizeOf = (key: string, { bytes }: ShelvedAnswer): number => FORMS * bytes + 2 * key.length + OVERHEAD_BYTES
