/**
 * Report on the components that the process needs. They are checked concurrently, only on request and at most once per
 * second; all callers within that second get the same report. Routes and operators decide how to react.
 */
import type { HealthReport, HealthStatus } from "@matchpoint/contracts/http/HealthReport"
import { Context, DateTime, Effect, Layer } from "effect"
import { Drain } from "../Drain.ts"
import { type Check, withTimeLimit } from "./Check.ts"

const KEPT = "1 second"

export class Health extends Context.Service<Health, { readonly report: Effect.Effect<HealthReport> }>()(
  "@matchpoint/process/health/Health",
) {
  /** The report has the order of `checks`. */
  static readonly reportingOn = (checks: ReadonlyArray<Check>): Effect.Effect<Health["Service"]> => {
    const components = checks.map(withTimeLimit)
    const look = Effect.gen(function* () {
      const found = yield* Effect.all(components, { concurrency: "unbounded" })
      const checkedAt = DateTime.formatIso(yield* DateTime.now)
      return { status: worst(found.map(({ status }) => status)), checkedAt, components: found }
    })
    return Effect.map(Effect.cachedWithTTL(look, KEPT), (report) => Health.of({ report }))
  }

  /** The resources of the checks live as long as the layer. */
  static readonly layer = <E, R>(checks: Effect.Effect<ReadonlyArray<Check>, E, R>) =>
    Layer.effect(
      Health,
      Effect.gen(function* () {
        const drain = yield* Drain
        const { report } = yield* Health.reportingOn(yield* checks)
        return Health.of({ report: Effect.zipWith(report, drain.reason, withDrain) })
      }),
    )
}

/** A draining process is not ready, whatever its components report. */
const withDrain = (report: HealthReport, reason: string | undefined): HealthReport =>
  reason === undefined
    ? report
    : { ...report, status: "failed", components: [...report.components, { name: "drain", status: "failed", reason }] }

const bySeverity: ReadonlyArray<HealthStatus> = ["failed", "degraded", "ok"]

const worst = (found: ReadonlyArray<HealthStatus>): HealthStatus => bySeverity.find((status) => found.includes(status)) ?? "ok"
