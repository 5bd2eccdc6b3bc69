/**
 * Answers that were worked out a moment ago, for whoever asks the same. Bounded in bytes: what nobody has asked for the longest goes
 * first. Plain data; times are monotonic ms, given by the caller.
 */
import type { HttpServerResponse } from "effect/http"
import { LARGEST_SHARE } from "./AnswerCompression.ts"

export interface ShelvedAnswer {
  readonly response: HttpServerResponse.HttpServerResponse
  readonly etag: string
  /** Of the body. */
  readonly bytes: number
}

interface Shelved extends ShelvedAnswer {
  readonly putAt: number
}

/** What an entry takes besides its body, about: headers, the objects around them, its key. */
const OVERHEAD_BYTES = 1_024

export class AnswerShelf {
  readonly #maxBytes: number
  readonly #keptMs: number
  /** Those asked for last are last. */
  readonly #answers = new Map<string, Shelved>()
  #bytes = 0

  /** `keptMs`: for how long an answer is given again; 0: never. */
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

  /** `askedAt`: when it was begun to be worked out, which is as of when it is true. */
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

/** Its gzip and brotli forms live as long as it does. */
const FORMS = 1 + 2 * LARGEST_SHARE

const sizeOf = (key: string, { bytes }: ShelvedAnswer): number => FORMS * bytes + 2 * key.length + OVERHEAD_BYTES
