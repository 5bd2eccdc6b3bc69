// Callbacks that send last messages to connections.
import { Effect, type Scope } from "effect"

export class ShutdownCallbacks {
  readonly #waiting = new Set<() => void>()

  /** Called exactly once: when the server stops or when the current scope closes, whichever is first. */
  readonly add = (callback: () => void): Effect.Effect<void, never, Scope.Scope> =>
    Effect.andThen(
      Effect.sync(() => this.#waiting.add(callback)),
      Effect.addFinalizer(() =>
        Effect.sync(() => {
          if (this.#waiting.delete(callback)) callback()
        }),
      ),
    )

  runAll(): void {
    for (const callback of this.#waiting) {
      this.#waiting.delete(callback)
      callback()
    }
  }
}
