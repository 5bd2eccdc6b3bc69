/** One component of a health report: what is asked, and the rules that every question follows. */
import type { ComponentHealth, HealthComponent, HealthStatus } from "@matchpoint/contracts/http/HealthReport"
import { Cause, Clock, Effect, Fiber } from "effect"

/** What a check has found. */
export interface Finding {
  readonly status: HealthStatus
  readonly reason: string
}

export interface Check {
  readonly name: HealthComponent
  /** A failure is reported as `failed` with the message of its error. */
  readonly find: Effect.Effect<Finding, Error>
}

/** A component that needs longer than this counts as failed. */
export const ANSWER_WITHIN_MS = 1_000

export const ok = (reason: string): Finding => ({ status: "ok", reason })
export const degraded = (reason: string): Finding => ({ status: "degraded", reason })
export const failed = (reason: string): Finding => ({ status: "failed", reason })

/**
 * Makes a check that always answers within a second. A question that takes longer goes on, at most for as long as the driver lets it, and
 * is not asked a second time meanwhile: a component that hangs holds one fiber, however often health is asked for.
 */
export const answering = ({ find, name }: Check): Effect.Effect<ComponentHealth> => {
  let asking: { readonly fiber: Fiber.Fiber<Finding>; readonly since: number } | undefined
  const ask = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (asking !== undefined) return asking
    const fiber = yield* Effect.forkDetach(Effect.catchCause(find, (cause) => Effect.succeed(failed(inWords(cause)))))
    asking = { fiber, since: now }
    fiber.addObserver(() => {
      asking = undefined
    })
    return { fiber, since: now }
  })
  return Effect.gen(function* () {
    const { fiber, since } = yield* ask
    const late = Effect.map(Clock.currentTimeMillis, (now) => failed(`no answer for ${Math.round((now - since) / 100) / 10} s`))
    const finding = yield* Effect.timeoutOrElse(Fiber.join(fiber), { duration: ANSWER_WITHIN_MS, orElse: () => late })
    return { name, ...finding }
  })
}

const LONGEST_REASON = 300

/** The first line of what went wrong. */
const inWords = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n", 1)
  return line.slice(0, LONGEST_REASON)
}
