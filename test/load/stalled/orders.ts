// Owns what the processes of the measurement of stalled clients say to each other.
import type { Delivered, Published } from "../fanout/orders.ts"

export const transports = ["websocket", "sse"] as const
export type Transport = (typeof transports)[number]

/** `reading`: the crowd reads everything. `stalled`: it follows the room and never reads again. */
export const behaviors = ["reading", "stalled"] as const
export type Behavior = (typeof behaviors)[number]

export interface Listening {
  readonly port: number
  /** No frame is smaller. */
  readonly frameBytes: number
}

export type ServerOrder =
  /** Frames from now on, the matches in turns; answered with `Ran` when the time is over. */
  | { readonly kind: "run"; readonly rate: number; readonly seconds: number }
  /** Answered with `Memory`. */
  | { readonly kind: "memory" }

export interface Memory {
  readonly rss: number
  /** Highest since the last question, looked at every 20 ms. */
  readonly peakRss: number
}

export interface Ran extends Memory {
  readonly published: Published
  readonly cpuUs: number
}

export type GeneratorOrder =
  | {
      readonly kind: "connect"
      readonly transport: Transport
      readonly port: number
      readonly clients: number
      readonly frameBytes: number
      readonly behavior: Behavior
    }
  /** Forgets what was counted so far. */
  | { readonly kind: "begin" }
  /** Waits until everyone has every frame, or nothing comes any more; answered with `Settled`. */
  | { readonly kind: "settle"; readonly published: Published }

export interface Settled extends Delivered {
  /** Clients whose connection is over. A client that does not read does not notice. */
  readonly ended: number
}
