// Registry of callbacks that send last messages to connections. Each callback runs when the server stops, or when its
// scope closes if that is earlier.
import { Effect, type Scope } from "effect"

export class ShutdownCallbacks {
  readonly #waiting = new Set<() => void>()

  /** Registers the callback, which is called exactly once. */
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
