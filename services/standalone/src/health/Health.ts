/**
 * The state of the components that the process needs. All are checked together, only if someone asks, and at most once a second: every
 * caller within that second gets the same report. It decides nothing; routes and operators do.
 */
import type { HealthReport, HealthStatus } from "@matchpoint/contracts/http/HealthReport"
import { Context, DateTime, Effect, Layer } from "effect"
import { answering, type Check } from "./Check.ts"
import { databaseCheck } from "./databaseCheck.ts"
import { diskCheck } from "./diskCheck.ts"
import { lagCheck } from "./lagCheck.ts"
import { logChecks } from "./logChecks.ts"

/** A report is served for this long. */
const KEPT = "1 second"

export class Health extends Context.Service<Health, { readonly report: Effect.Effect<HealthReport> }>()(
  "@matchpoint/service-standalone/health/Health",
) {
  /** Reports on these checks, in this order. */
  static readonly reportingOn = (checks: ReadonlyArray<Check>): Effect.Effect<Health["Service"]> => {
    const components = checks.map(answering)
    const look = Effect.gen(function* () {
      const found = yield* Effect.all(components, { concurrency: "unbounded" })
      const checkedAt = DateTime.formatIso(yield* DateTime.now)
      return { status: worst(found.map(({ status }) => status)), checkedAt, components: found }
    })
    return Effect.map(Effect.cachedWithTTL(look, KEPT), (report) => Health.of({ report }))
  }

  static readonly layer = Layer.effect(
    Health,
    Effect.gen(function* () {
      const { bus, log } = yield* logChecks
      return yield* Health.reportingOn([log, yield* databaseCheck, bus, yield* lagCheck, yield* diskCheck])
    }),
  )
}

const bySeverity: ReadonlyArray<HealthStatus> = ["failed", "degraded", "ok"]

const worst = (found: ReadonlyArray<HealthStatus>): HealthStatus => bySeverity.find((status) => found.includes(status)) ?? "ok"
