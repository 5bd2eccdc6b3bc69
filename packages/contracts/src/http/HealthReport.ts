/** The response of `/health`, for operators and their tools. */
import { Schema } from "effect"

export const HealthComponent = Schema.Literals(["log", "database", "bus", "lag", "disk", "drain", "start"])
export type HealthComponent = typeof HealthComponent.Type

/**
 * `degraded` means that the component works but needs attention from an operator. `failed` means that a component that
 * the service depends on does not work.
 */
export const HealthStatus = Schema.Literals(["ok", "degraded", "failed"])
export type HealthStatus = typeof HealthStatus.Type

export const ComponentHealth = Schema.Struct({
  name: HealthComponent,
  status: HealthStatus,
  /** Result of the component's check, in one sentence. */
  reason: Schema.String,
})
export type ComponentHealth = typeof ComponentHealth.Type

export const HealthReport = Schema.Struct({
  /** The worst status of all components. */
  status: HealthStatus,
  /** Time of the check, ISO 8601. */
  checkedAt: Schema.String,
  components: Schema.Array(ComponentHealth),
})
export type HealthReport = typeof HealthReport.Type
