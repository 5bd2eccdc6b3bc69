// Bounds the time that new requests take in one turn of the event loop. The native library passes every request that it
// has read, which may be ten thousand pipelined ones of one connection, before it looks at another connection. Requests
// beyond the bound start in later turns, in the order of their arrival. Of a connection that pipelines, the library
// then closes the connection at the next request, because a request is still waiting for its response.

import { Effect } from "effect"

/** Default time in milliseconds for which requests start in one turn. */
const TURN_MS = 5

/** Maximum number of requests that wait. Further ones start at once, since waiting would cost more than it saves. */
const MAX_WAITING = 10_000

/** Number of started requests that are removed from the list at once. */
const FORGET_STARTED = 1_000

export class RequestTurns {
  readonly #turnMs: number
  #endsAt: number | undefined
  readonly #waiting: Array<() => void> = []
  #next = 0

  /** `turnMs` is the time for which requests start in one turn. Infinity: all start at once. */
  constructor(turnMs = TURN_MS) {
    this.#turnMs = turnMs
  }

  /** Returns true if a request may start now. Otherwise it must be passed to `later`. */
  mayStart(): boolean {
    if (this.#turnMs === Number.POSITIVE_INFINITY || this.#waiting.length - this.#next >= MAX_WAITING) return true
    if (this.#endsAt === undefined) {
      this.#endsAt = performance.now() + this.#turnMs
      setImmediate(() => this.#startWaiting())
      return true
    }
    return this.#next === this.#waiting.length && performance.now() < this.#endsAt
  }

  /** Calls `start` in a later turn. */
  later(start: () => void): void {
    this.#waiting.push(start)
  }

  /** Runs the effect now if it may start, otherwise in a later turn. */
  inTurn<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return this.mayStart() ? effect : Effect.andThen(this.#turn, effect)
  }

  readonly #turn = Effect.callback<void>((resume) => this.later(() => resume(Effect.void)))

  #startWaiting(): void {
    this.#endsAt = undefined
    if (this.#waiting.length === 0) return
    this.#endsAt = performance.now() + this.#turnMs
    // Scheduled first, so that a request that fails does not stop the others.
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
