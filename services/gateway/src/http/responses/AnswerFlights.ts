/**
 * Answers that are being worked out: whoever asks the same meanwhile waits for it instead of asking the database once more. Without it a
 * popular address that has just grown old is worked out for everybody who asks at that moment. Holds only what is under way.
 */
import { Cause, Deferred, Effect, Exit } from "effect"

type Landing<A> =
  /** To be given to all who wait. */
  | { readonly _tag: "Shared"; readonly answer: A }
  /** It is none to be shared: a refusal, say. Everybody works out his own. */
  | { readonly _tag: "Own" }
  /** Whoever worked on it has left. One of those who wait goes on. */
  | { readonly _tag: "Left" }

export class AnswerFlights<A> {
  readonly #flights = new Map<string, Deferred.Deferred<Landing<A>>>()

  get underWay(): number {
    return this.#flights.size
  }

  /**
   * `work` says by `share` what may be given to others. Those who come while it runs get `given` of that; the result of `work` is its
   * own caller's alone.
   */
  join<B, E, R>(
    key: string,
    work: (share: (answer: A) => void) => Effect.Effect<B, E, R>,
    given: (answer: A) => B,
  ): Effect.Effect<B, E, R> {
    return Effect.suspend(() => {
      const flight = this.#flights.get(key)
      if (flight === undefined) return this.#lead(key, work)
      return Effect.flatMap(Deferred.await(flight), (landing) => {
        if (landing._tag === "Shared") return Effect.succeed(given(landing.answer))
        return landing._tag === "Left" ? this.join(key, work, given) : work(() => undefined)
      })
    })
  }

  /** Whoever is interrupted between being known to work on it and working on it would leave all others waiting for ever: he cannot be. */
  #lead<B, E, R>(key: string, work: (share: (answer: A) => void) => Effect.Effect<B, E, R>): Effect.Effect<B, E, R> {
    return Effect.uninterruptibleMask((restore) => {
      const flight = Deferred.makeUnsafe<Landing<A>>()
      let landing: Landing<A> = { _tag: "Own" }
      const share = (answer: A) => {
        landing = { _tag: "Shared", answer }
      }
      this.#flights.set(key, flight)
      return Effect.onExit(restore(Effect.suspend(() => work(share))), (exit) =>
        Effect.sync(() => {
          this.#flights.delete(key)
          if (Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)) landing = { _tag: "Left" }
          Deferred.doneUnsafe(flight, Exit.succeed(landing))
        }),
      )
    })
  }
}
