/**
 * The time between the signal that ends a process and the moment when it stops serving. A process that drains reports
 * that it is not ready, so that load balancers send it no new clients, and serves everything else as before.
 */
import { Context, Duration, Effect, Layer } from "effect"

export class Drain extends Context.Service<
  Drain,
  {
    /** Why the process is not ready, or undefined until it drains. */
    readonly reason: Effect.Effect<string | undefined>
    /** Begins to drain, and waits as long as the settings say. */
    readonly run: Effect.Effect<void>
  }
>()("@matchpoint/process/Drain") {
  /** Does not wait if `isLost` returns true then, because the clients of the process get nothing from it any more. */
  static readonly layer = (time: Duration.Input, isLost = () => false) =>
    Layer.sync(Drain, () => {
      const duration = Duration.fromInputUnsafe(time)
      let isDraining = false
      const begin = Effect.sync(() => {
        isDraining = true
      })
      return Drain.of({
        reason: Effect.sync(() => (isDraining ? "the process is stopping" : undefined)),
        run: Effect.andThen(
          begin,
          Effect.suspend(() =>
            Duration.isZero(duration) || isLost()
              ? Effect.void
              : Effect.andThen(Effect.logInfo(`draining for ${Duration.format(duration)}`), Effect.sleep(duration)),
          ),
        ),
      })
    })

  /** Drains when its scope closes. Must be built after everything that serves, so that it is closed first. */
  static readonly onStop = Layer.effectDiscard(Effect.flatMap(Drain, ({ run }) => Effect.addFinalizer(() => run)))
}
