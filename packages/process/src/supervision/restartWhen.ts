import { resettingRetry } from "@matchpoint/bus/resettingRetry"
import { type Context, Effect, Exit, Layer, Scope } from "effect"

const TRY_AGAIN_AFTER_MS = 1_000

/**
 * Closes the layer whenever `ended` completes for its services, and builds it again as soon as that succeeds. If the
 * first build fails, the result fails.
 */
export const restartWhen = <A, E, R, R2>(
  layer: Layer.Layer<A, E, R>,
  ended: (services: Context.Context<A>) => Effect.Effect<void, never, R2>,
): Layer.Layer<never, E, R | R2> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const build = Effect.gen(function* () {
        const own = yield* Scope.fork(scope)
        const services = yield* Layer.buildWithMemoMap(layer, Layer.makeMemoMapUnsafe(), own).pipe(
          Effect.onError((cause) => Scope.close(own, Exit.failCause(cause))),
        )
        return { own, services }
      })
      // Unexpected errors are retried, too. Otherwise, the process would live on without serving.
      const again = build.pipe(
        Effect.tapCause((cause) => Effect.logWarning("cannot start again; retrying", cause)),
        Effect.sandbox,
        resettingRetry({ firstMs: TRY_AGAIN_AFTER_MS, longestMs: TRY_AGAIN_AFTER_MS }),
      )
      const close = (own: Scope.Closeable) =>
        Effect.catchCause(Scope.close(own, Exit.void), (cause) => Effect.logError("could not close everything before the restart", cause))
      const follow = ({ own, services }: Effect.Success<typeof build>): Effect.Effect<never, never, R | R2> =>
        ended(services).pipe(Effect.andThen(close(own)), Effect.andThen(again), Effect.flatMap(follow))
      yield* Effect.forkScoped(follow(yield* build))
    }),
  )
