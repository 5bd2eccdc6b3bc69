/** Plans as data: what each may do on the live channels. */
import { Schema } from "effect"

export const Plan = Schema.Literals(["free", "starter", "pro", "business", "scale", "enterprise"])
export type Plan = typeof Plan.Type

export interface LiveLimits {
  /** How far behind the newest frame the plan reads and streams. */
  readonly delaySeconds: number
  /** WebSockets and SSE streams open at once, per key. */
  readonly connections: number
  /** Rooms one WebSocket may follow. */
  readonly rooms: number
  /** Replays one key may run at once. */
  readonly replays: number
}

export const liveLimits: Readonly<Record<Plan, LiveLimits>> = {
  free: { delaySeconds: 60, connections: 5, rooms: 20, replays: 1 },
  starter: { delaySeconds: 60, connections: 20, rooms: 50, replays: 2 },
  pro: { delaySeconds: 0, connections: 500, rooms: 500, replays: 5 },
  business: { delaySeconds: 0, connections: 2_000, rooms: 500, replays: 10 },
  scale: { delaySeconds: 0, connections: 20_000, rooms: 500, replays: 20 },
  enterprise: { delaySeconds: 0, connections: 100_000, rooms: 500, replays: 50 },
}
