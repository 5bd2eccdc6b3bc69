/** How a simulated client behaves, and what it needs from the simulation. */
import type { Plan } from "@matchpoint/domain/plans"
import type { Random } from "@matchpoint/simulator/random"
import type { Findings } from "../audit/Findings.ts"
import type { Hearing } from "../audit/Hearing.ts"
import type { History } from "../audit/History.ts"
import type { VirtualLoop } from "../machine/VirtualLoop.ts"
import type { LinkSpeed } from "../network/Wire.ts"
import type { GatewayNode } from "./nodes.ts"

export interface ClientPlan {
  readonly name: string
  readonly transport: "socket" | "stream"
  readonly plan: Plan
  readonly shape: "v1" | "v2"
  /** `all`, or rooms of matches. A stream has one room. */
  readonly rooms: ReadonlyArray<string>
  readonly maxRateMs: number | undefined
  readonly flush: "adaptive" | "immediate" | undefined
  readonly slow: "conflate" | "catchup" | "close"
  readonly speed: LinkSpeed
  /** Mean time between two random actions, ms. */
  readonly actionsEveryMs: number
}

/** The parts of the simulation that a client uses. */
export interface Environment {
  readonly loop: VirtualLoop
  readonly random: Random
  readonly history: History
  readonly hearing: Hearing
  readonly findings: Findings
  readonly gateways: () => ReadonlyArray<GatewayNode>
  /** No more random actions: clients only reconnect. */
  readonly isQuiet: () => boolean
  /** Receives everything that clients do and receive, to inspect a seed. */
  readonly trace: ((client: string, event: string) => void) | undefined
}
