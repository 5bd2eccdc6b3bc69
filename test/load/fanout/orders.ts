// Owns what the processes of the fan-out measurement say to each other, and the kinds of servers there are.
import type { Shape } from "@matchpoint/contracts/stream/frames"

/**
 * `ours`: every frame leaves at once. `adaptive`: as clients get it who ask for nothing. `sse`: `ours` over Server-Sent Events. `feed`:
 * `adaptive`, fed with facts instead of frames.
 */
export const variants = ["ours", "adaptive", "raw", "ws", "socketio", "sse", "feed"] as const
export type VariantName = (typeof variants)[number]

export interface Listening {
  readonly port: number
  /** No frame is smaller. */
  readonly frameBytes: number
}

export type ServerOrder =
  | { readonly kind: "publish"; readonly rate: number; readonly seconds: number }
  /** Answered with `NodeJS.CpuUsage` of the process so far. */
  | { readonly kind: "cpu" }

export interface Published {
  readonly published: number
  readonly startedAtUs: number
  /** Frame n, from 0, was due n times this after the start. */
  readonly intervalUs: number
  /** When the frame after the last one would have been due. */
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
  /** Forget what was counted so far. */
  | { readonly kind: "begin" }
  /** Wait until every socket has as many frames as were published, or nothing comes any more; then tell. */
  | { readonly kind: "settle"; readonly published: Published }

export interface Delivered {
  readonly delivered: number
  /** Sockets with more or fewer frames than were published. */
  readonly unevenSockets: number
  readonly lastAtUs: number
  /** From when a frame was due until one socket of the sample had it. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly worstMs: number
  /** From when a frame was due until the last of all sockets had it. */
  readonly lastP50Ms: number
  readonly lastP99Ms: number
  /** Share of one core the generator was busy since `begin`. Near 1 means that it, not the server, was the limit. */
  readonly cpuShare: number
}
