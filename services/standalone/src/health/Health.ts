/**
 * Health report of the components that the process needs. They are checked together, only on request, and at most once
 * per second. All callers within that second get the same report. This module only reports. Routes and operators decide
 * what to do.
 */
import type { HealthReport, HealthStatus } from "@matchpoint/contracts/http/HealthReport"
import { Context, DateTime, Effect, Layer } from "effect"
import { answering, type Check } from "./Check.ts"
import { databaseCheck } from "./databaseCheck.ts"
import { diskCheck } from "./diskCheck.ts"
import { lagCheck } from "./lagCheck.ts"
import { logChecks } from "./logChecks.ts"

/** Time for which a report is reused. */
const KEPT = "1 second"

export class Health extends Context.Service<Health, { readonly report: Effect.Effect<HealthReport> }>()(
  "@matchpoint/service-standalone/health/Health",
) {
  /** Builds the service from these checks, reported in this order. */
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
