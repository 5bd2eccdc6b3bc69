/** The response of `/health`, for operators and their tools. */
import { Schema } from "effect"

export const HealthComponent = Schema.Literals(["log", "database", "bus", "lag", "disk", "drain", "start"])
export type HealthComponent = typeof HealthComponent.Type

/** `degraded`: works but needs an operator's attention. `failed`: a component that the service depends on does not work. */
export const HealthStatus = Schema.Literals(["ok", "degraded", "failed"])
export type HealthStatus = typeof HealthStatus.Type

export const ComponentHealth = Schema.Struct({
  name: HealthComponent,
  status: HealthStatus,
  /** Result of the check in one sentence. */
  reason: Schema.String,
})
export type ComponentHealth = typeof ComponentHealth.Type

export const HealthReport = Schema.Struct({
  /** The worst of all components. */
  status: HealthStatus,
  /** ISO 8601. */
  checkedAt: Schema.String,
  components: Schema.Array(ComponentHealth),
})
export type HealthReport = typeof HealthReport.Type
