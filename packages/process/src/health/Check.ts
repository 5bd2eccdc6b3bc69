import type { ComponentHealth, HealthComponent, HealthStatus } from "@matchpoint/contracts/http/HealthReport"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { Cause, Clock, Effect, Fiber } from "effect"

export interface Finding {
  readonly status: HealthStatus
  readonly reason: string
}

export interface Check {
  readonly name: HealthComponent
  /** A failure is reported as `failed` with the error's message. */
  readonly find: Effect.Effect<Finding, Error>
}

/** A slower component is reported as `failed`. */
export const ANSWER_WITHIN_MS = 1_000

export const ok = (reason: string): Finding => ({ status: "ok", reason })
export const degraded = (reason: string): Finding => ({ status: "degraded", reason })
export const failed = (reason: string): Finding => ({ status: "failed", reason })

/**
 * A check that takes longer than a second is reported as failed but continues in the background. Until it ends, it is
 * not started again. A component that does not respond therefore occupies a single fiber, however often the report is
 * requested.
 */
export const withTimeLimit = ({ find, name }: Check): Effect.Effect<ComponentHealth> => {
  let asking: { readonly fiber: Fiber.Fiber<Finding>; readonly since: number } | undefined
  const check = Effect.gen(function* () {
    const now = monotonicOf(yield* Clock.Clock)()
    if (asking !== undefined) return asking
    const fiber = yield* Effect.forkDetach(Effect.catchCause(find, (cause) => Effect.succeed(failed(failureText(cause)))))
    asking = { fiber, since: now }
    fiber.addObserver(() => {
      asking = undefined
    })
    return { fiber, since: now }
  })
  return Effect.gen(function* () {
    const { fiber, since } = yield* check
    const late = Effect.map(Clock.Clock, (clock) => failed(`no answer for ${Math.round((monotonicOf(clock)() - since) / 100) / 10} s`))
    const finding = yield* Effect.timeoutOrElse(Fiber.join(fiber), { duration: ANSWER_WITHIN_MS, orElse: () => late })
    return { name, ...finding }
  })
}

const LONGEST_REASON = 300

/** First line, truncated to the maximum length of a reason. */
const failureText = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n", 1)
  return line.slice(0, LONGEST_REASON)
}
