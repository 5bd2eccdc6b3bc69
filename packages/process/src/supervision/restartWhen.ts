/** Closes and builds a layer again while the process goes on. */
import { type Context, Effect, Exit, Layer, Schedule, Scope } from "effect"

const TRY_AGAIN_EVERY = "1 second"

/**
 * A layer that is closed whenever `ended` completes for its services, and is then built again as soon as that succeeds. If the
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
      const again = build.pipe(
        Effect.tapError((error) => Effect.logWarning("cannot start again; retrying", error)),
        Effect.retry({ schedule: Schedule.spaced(TRY_AGAIN_EVERY) }),
      )
      const follow = ({ own, services }: Effect.Success<typeof build>): Effect.Effect<never, E, R | R2> =>
        ended(services).pipe(Effect.andThen(Scope.close(own, Exit.void)), Effect.andThen(again), Effect.flatMap(follow))
      yield* Effect.forkScoped(follow(yield* build))
    }),
  )
