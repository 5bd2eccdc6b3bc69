/** What `/health` reports to operators and their tools. */
import { Schema } from "effect"

export const HealthComponent = Schema.Literals(["log", "database", "bus", "lag", "disk"])
export type HealthComponent = typeof HealthComponent.Type

/** `degraded`: it works, and an operator should look. `failed`: the service cannot do its work without it. */
export const HealthStatus = Schema.Literals(["ok", "degraded", "failed"])
export type HealthStatus = typeof HealthStatus.Type

export const ComponentHealth = Schema.Struct({
  name: HealthComponent,
  status: HealthStatus,
  /** What was found, in one sentence. */
  reason: Schema.String,
})
export type ComponentHealth = typeof ComponentHealth.Type

export const HealthReport = Schema.Struct({
  /** The worst status of a component. */
  status: HealthStatus,
  /** When the components were checked, ISO 8601. */
  checkedAt: Schema.String,
  components: Schema.Array(ComponentHealth),
})
export type HealthReport = typeof HealthReport.Type
