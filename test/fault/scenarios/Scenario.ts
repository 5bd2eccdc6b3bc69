/** A fault scenario: which system runs, under which load, what is done to it, and what must hold. */
import type { Random } from "@matchpoint/simulator/random"
import type { Effect, Scope } from "effect"
import type { FeedsOrder } from "../load/feeds/orders.ts"
import type { Worker } from "../load/Worker.ts"
import type { System, Topology } from "../system/System.ts"

export type Size = "small" | "full"

export interface LoadPlan {
  readonly matches: number
  /** WebSocket clients that follow one match each. */
  readonly clients: number
  /** Facts per second and match. */
  readonly factsPerSecond: number
  /** Seconds under load before the fault, and after it. */
  readonly secondsBefore: number
  readonly secondsAfter: number
  /** Facts that each match has at least. Default: enough for the time of the load and a minute. */
  readonly factsPerMatch?: number
}

/** What must hold in addition to clean transcripts, documents, deliveries and log. */
export interface Demands {
  /** Longest time without an update of any match, in milliseconds. Undefined: it is reported only. */
  readonly longestPauseMs?: number
  /** Frames may be missing if they were announced. Default: none may. */
  readonly mayMissAnnounced?: boolean
  /** Each reconnect is billed as a connect, because no gateway ended the connections. Default: no reconnect is billed. */
  readonly billsReconnects?: boolean
  /** A new epoch may begin. Default: history is never lost. */
  readonly mayReset?: boolean
  /**
   * Facts that were stored before the fault may be lost, and with them everything that follows from them. Then only pauses and
   * ended processes count. Default: none may be lost.
   */
  readonly mayLoseFacts?: boolean
}

/** What a fault may use. */
export interface World {
  readonly system: System
  readonly feeds: Worker<FeedsOrder>
  readonly size: Size
  /** Random numbers from the seed. */
  readonly random: Random
  /** Adds a line to the verdict: what was done, and what was skipped and why. */
  readonly note: (text: string) => void
  /** Adds a violation to the verdict. */
  readonly finding: (text: string) => void
}

export interface Scenario {
  readonly name: string
  /** One line for the list of scenarios. */
  readonly summary: string
  readonly topology: Topology
  readonly load: Readonly<Record<Size, LoadPlan>>
  readonly demands: Demands
  /**
   * Does the fault and undoes it. Runs while facts are sent and clients follow. When it returns, the system must be
   * able to recover by itself.
   */
  readonly fault: (world: World) => Effect.Effect<void, Error, Scope.Scope>
}

/** The load of the acceptance tests, and a short one for the selection of the continuous integration. */
export const usualLoad: Scenario["load"] = {
  small: { matches: 10, clients: 50, factsPerSecond: 2, secondsBefore: 4, secondsAfter: 6 },
  full: { matches: 100, clients: 2_000, factsPerSecond: 2, secondsBefore: 8, secondsAfter: 20 },
}
