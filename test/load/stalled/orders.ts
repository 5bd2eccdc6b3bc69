// Owns the messages between the processes of the stalled client benchmark.
import type { Published } from "../fanout/orders.ts"

export const transports = ["websocket", "sse"] as const
export type Transport = (typeof transports)[number]

/** `reading`: the clients read everything. `stalled`: they follow the room and read nothing of it. */
export type Behavior = "reading" | "stalled"

export interface Listening {
  readonly port: number
  /** Minimum size of a frame. */
  readonly frameBytes: number
}

export type ServerOrder =
  /** Publishes frames from now on, the matches in turn. Answered with `Ran` when the time is over. */
  | { readonly kind: "run"; readonly rate: number; readonly seconds: number }
  /** Answered with `Memory`. */
  | { readonly kind: "memory" }

export interface Memory {
  readonly rss: number
  /** Highest RSS since the last question, sampled every 20 ms. */
  readonly peakRss: number
}

export interface Ran extends Memory {
  readonly published: Published
  readonly cpuUs: number
  readonly longestBlockMs: number
}

export type GeneratorOrder =
  | {
      readonly kind: "connect"
      readonly transport: Transport
      readonly port: number
      readonly clients: number
      /** Handshakes that start per second. */
      readonly perSecond: number
      readonly frameBytes: number
      readonly behavior: Behavior
    }
  /** Resets all counts. Answered with the CPU time of the process, us. */
  | { readonly kind: "begin" }
  /** Answered with the CPU time of the process, us. */
  | { readonly kind: "cpu" }
  /** Waits until all clients have every frame, or no frame arrives any more. Answered with `Delivered`. */
  | { readonly kind: "settle"; readonly published: Published }

export interface Cpu {
  /** User and system time since the process started. */
  readonly cpuUs: number
}
