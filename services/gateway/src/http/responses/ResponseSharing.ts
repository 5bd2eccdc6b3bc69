/**
 * Identical requests wait for the running computation of a response. Otherwise, when the cached response of a popular
 * URL expires, every request that arrives at that moment would compute it again.
 *
 * Effect's `Cache` is not used: it hands every result of `work` to all waiting requests, even errors. And if the
 * request that started `work` is interrupted, `work` continues in that request's context, although its scope has been
 * closed.
 */
import { Cause, Deferred, Effect, Exit } from "effect"

type Outcome<A> =
  /** All waiting requests can share the response. */
  | { readonly _tag: "Shared"; readonly answer: A }
  /** The result cannot be shared, e.g. because it is an error. Each waiting request computes its own. */
  | { readonly _tag: "Own" }
  /** The request that ran the computation was interrupted. One of the waiting requests takes over. */
  | { readonly _tag: "Left" }

export class ResponseSharing<A> {
  readonly #running = new Map<string, Deferred.Deferred<Outcome<A>>>()

  get underWay(): number {
    return this.#running.size
  }

  /**
   * Runs `work` once for concurrent requests with the same key. The first gets its return value. If `work` has called
   * `share(response)`, each of the others gets `given(response)`; otherwise each runs `work` itself.
   */
  join<B, E, R>(
    key: string,
    work: (share: (answer: A) => void) => Effect.Effect<B, E, R>,
    given: (answer: A) => B,
  ): Effect.Effect<B, E, R> {
    return Effect.suspend(() => {
      const running = this.#running.get(key)
      if (running === undefined) return this.#lead(key, work)
      return Effect.flatMap(Deferred.await(running), (outcome) => {
        if (outcome._tag === "Shared") return Effect.succeed(given(outcome.answer))
        return outcome._tag === "Left" ? this.join(key, work, given) : work(() => undefined)
      })
    })
  }

  /** Uninterruptible until `work` starts: after an interruption in between, the waiting requests would wait forever. */
  #lead<B, E, R>(key: string, work: (share: (answer: A) => void) => Effect.Effect<B, E, R>): Effect.Effect<B, E, R> {
    return Effect.uninterruptibleMask((restore) => {
      const running = Deferred.makeUnsafe<Outcome<A>>()
      let outcome: Outcome<A> = { _tag: "Own" }
      const share = (answer: A) => {
        outcome = { _tag: "Shared", answer }
      }
      this.#running.set(key, running)
      return Effect.onExit(restore(Effect.suspend(() => work(share))), (exit) =>
        Effect.sync(() => {
          this.#running.delete(key)
          if (Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)) outcome = { _tag: "Left" }
          Deferred.doneUnsafe(running, Exit.succeed(outcome))
        }),
      )
    })
  }
}
