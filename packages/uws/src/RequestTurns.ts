// Bounds the time that new requests take in one turn of the event loop. The native library passes every request that it
// has read, which may be ten thousand pipelined ones of one connection, before it looks at another connection. Requests
// beyond the bound start in later turns, in the order of their arrival. Of a connection that pipelines, the library
// then closes the connection at the next request, because a request is still waiting for its response.

import { Effect } from "effect"

/** Requests start for this long in one turn. */
const TURN_MS = 5

/** Further ones start at once, since waiting would cost more than it saves. */
const MAX_WAITING = 10_000

/** Started requests are removed from the list together, in this number. */
const FORGET_STARTED = 1_000

export class RequestTurns {
  readonly #turnMs: number
  #endsAt: number | undefined
  readonly #waiting: Array<() => void> = []
  #next = 0

  /** With Infinity, all requests start at once. */
  constructor(turnMs = TURN_MS) {
    this.#turnMs = turnMs
  }

  /** If false, the request must be passed to `later`. */
  mayStart(): boolean {
    if (this.#turnMs === Number.POSITIVE_INFINITY || this.#waiting.length - this.#next >= MAX_WAITING) return true
    if (this.#endsAt === undefined) {
      this.#endsAt = performance.now() + this.#turnMs
      setImmediate(() => this.#startWaiting())
      return true
    }
    return this.#next === this.#waiting.length && performance.now() < this.#endsAt
  }

  later(start: () => void): void {
    this.#waiting.push(start)
  }

  inTurn<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return this.mayStart() ? effect : Effect.andThen(this.#turn, effect)
  }

  readonly #turn = Effect.callback<void>((resume) => this.later(() => resume(Effect.void)))

  #startWaiting(): void {
    this.#endsAt = undefined
    if (this.#waiting.length === 0) return
    this.#endsAt = performance.now() + this.#turnMs
    // First, so that a request that fails does not stop the others.
    setImmediate(() => this.#startWaiting())
    while (this.#next < this.#waiting.length && performance.now() < this.#endsAt) {
      const start = this.#waiting[this.#next]
      this.#next += 1
      start?.()
    }
    if (this.#next === this.#waiting.length || this.#next >= FORGET_STARTED) {
      this.#waiting.splice(0, this.#next)
      this.#next = 0
    }
  }
}
