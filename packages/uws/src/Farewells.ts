// Owns what is to be said to connections before they end: by whatever comes first, the end of who has it to say or of the server.
import { Effect, type Scope } from "effect"

export class Farewells {
  readonly #waiting = new Set<() => void>()

  /** Says it once. */
  readonly add = (say: () => void): Effect.Effect<void, never, Scope.Scope> =>
    Effect.andThen(
      Effect.sync(() => this.#waiting.add(say)),
      Effect.addFinalizer(() =>
        Effect.sync(() => {
          if (this.#waiting.delete(say)) say()
        }),
      ),
    )

  sayAll(): void {
    for (const say of this.#waiting) {
      this.#waiting.delete(say)
      say()
    }
  }
}
