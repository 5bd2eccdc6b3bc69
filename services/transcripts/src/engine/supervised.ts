/**
 * Keeps one engine process: starts it at the first window, uses it for one window at a time, ends it after ten idle
 * minutes, and replaces it if it fails.
 */
import { Duration, Effect, RcRef, Schedule, type Scope, Semaphore } from "effect"
import { EngineFailed, type LanguageUnsupported, type TranscriptionUnavailable } from "../TranscribeFailure.ts"

type Failure = EngineFailed | LanguageUnsupported | TranscriptionUnavailable

export interface Supervised<Engine> {
  /** On `EngineFailed` or timeout, the process is replaced and `use` is repeated. */
  readonly use: <A>(use: (engine: Engine) => Effect.Effect<A, Failure>) => Effect.Effect<A, Failure>
}

const IDLE = Duration.minutes(10)
/** Waits before the repetitions of a window. */
const WAITS = Schedule.exponential("250 millis", 4)
const MAX_REPETITIONS = 2
/** A window of 30 seconds takes about a minute with the largest weights on two slow cores. */
const WINDOW_TIMEOUT = Duration.minutes(5)

export const makeSupervised = Effect.fnUntraced(function* <Engine>(acquire: Effect.Effect<Engine, Failure, Scope.Scope>) {
  const engine = yield* RcRef.make({ acquire, idleTimeToLive: IDLE })
  const permit = yield* Semaphore.make(1)
  return {
    use: (use) =>
      RcRef.get(engine).pipe(
        Effect.flatMap((running) =>
          Effect.timeoutOrElse(use(running), {
            duration: WINDOW_TIMEOUT,
            orElse: () => Effect.fail(new EngineFailed({ detail: "A window was not recognized in time." })),
          }),
        ),
        Effect.scoped,
        Effect.tapError((failure) => (failure._tag === "EngineFailed" ? restart(engine, failure) : Effect.void)),
        Effect.retry({ while: ({ _tag }) => _tag === "EngineFailed", schedule: WAITS, times: MAX_REPETITIONS }),
        permit.withPermit,
      ),
  } satisfies Supervised<Engine>
})

const restart = <Engine>(engine: RcRef.RcRef<Engine, Failure>, failure: EngineFailed) =>
  Effect.andThen(Effect.logWarning("The speech engine is restarted", failure.detail), RcRef.invalidate(engine))
