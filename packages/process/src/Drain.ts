/**
 * The time between the signal that ends a process and its end. A draining process reports that it is not ready, so that
 * load balancers send it no new clients, and serves everything else as before.
 */
import { Context, Duration, Effect, Layer } from "effect"

export class Drain extends Context.Service<
  Drain,
  {
    /** Undefined until the process drains. */
    readonly reason: Effect.Effect<string | undefined>
    /** Drains for as long as the settings say. */
    readonly run: Effect.Effect<void>
  }
>()("@matchpoint/process/Drain") {
  /** If `isLost` returns true, there is no wait, because the process is of no use to its clients any more. */
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

  /** Must be built after everything that serves, so that it is closed first. */
  static readonly onStop = Layer.effectDiscard(Effect.flatMap(Drain, ({ run }) => Effect.addFinalizer(() => run)))
}
