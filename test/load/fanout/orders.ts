// Owns the messages between the processes of the fan-out benchmark, and the list of server variants.
import type { Shape } from "@matchpoint/contracts/stream/frames"

/**
 * `ours`: every frame is sent at once. `adaptive`: the default for clients. `sse`: `ours` over Server-Sent Events.
 * `feed`: `adaptive`, fed with facts instead of frames.
 */
export const variants = ["ours", "adaptive", "raw", "ws", "socketio", "sse", "feed"] as const
export type VariantName = (typeof variants)[number]

export interface Listening {
  readonly port: number
  /** Minimum size of a frame. */
  readonly frameBytes: number
}

export type ServerOrder =
  | { readonly kind: "publish"; readonly rate: number; readonly seconds: number }
  /** Answered with the `NodeJS.CpuUsage` of the process so far. */
  | { readonly kind: "cpu" }

export interface Published {
  readonly published: number
  readonly startedAtUs: number
  /** Frame n, from 0, was due n intervals after the start. */
  readonly intervalUs: number
  /** Time at which the frame after the last one would have been due. */
  readonly endedAtUs: number
}

export type GeneratorOrder =
  | {
      readonly kind: "connect"
      readonly variant: VariantName
      readonly port: number
      readonly sockets: number
      readonly frameBytes: number
      readonly shape: Shape
    }
  /** Resets all counts. */
  | { readonly kind: "begin" }
  /**
   * Waits until every socket has as many frames as were published, or no frame arrives any more. Answered with
   * `Delivered`.
   */
  | { readonly kind: "settle"; readonly published: Published }

export interface Delivered {
  readonly delivered: number
  /** Sockets with more or fewer frames than were published. */
  readonly unevenSockets: number
  readonly lastAtUs: number
  /** Latency from when a frame was due until one sampled socket had it. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly worstMs: number
  /** Latency from when a frame was due until the last of all sockets had it. */
  readonly lastP50Ms: number
  readonly lastP99Ms: number
  /**
   * Share of one core that the generator used since `begin`. Near 1, the generator and not the server was the limit.
   */
  readonly cpuShare: number
}
