/**
 * Shares the runs of an effect among callers. Each caller gets the result of a run that began after its call. At most
 * one run is in progress, and all calls during a run share the next one.
 */
import { Deferred, Effect, Exit, type Scope } from "effect"

export const coalesced = <A, E>(run: Effect.Effect<A, E>): Effect.Effect<Effect.Effect<A, E>, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    let isRunning = false
    let next: Deferred.Deferred<A, E> | undefined

    const begin = (result: Deferred.Deferred<A, E>): Effect.Effect<void> => {
      isRunning = true
      return Effect.exit(run).pipe(
        Effect.flatMap((exit) => {
          isRunning = false
          Deferred.doneUnsafe(result, exit)
          const waiting = next
          next = undefined
          return waiting === undefined ? Effect.void : begin(waiting)
        }),
        // If the scope closes during a run, the callers must not wait forever.
        Effect.onInterrupt(() =>
          Effect.sync(() => {
            Deferred.doneUnsafe(result, Exit.interrupt())
            if (next !== undefined) Deferred.doneUnsafe(next, Exit.interrupt())
          }),
        ),
      )
    }

    return Effect.suspend(() => {
      if (isRunning) {
        next ??= Deferred.makeUnsafe<A, E>()
        return Deferred.await(next)
      }
      const result = Deferred.makeUnsafe<A, E>()
      return Effect.andThen(Effect.forkIn(begin(result), scope, { startImmediately: true }), Deferred.await(result))
    })
  })
