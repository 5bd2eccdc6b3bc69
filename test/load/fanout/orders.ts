// Owns what the processes of the fan-out measurement say to each other, and the kinds of servers there are.

/** `sse` is our gateway again, followed over Server-Sent Events. */
export const variants = ["ours", "raw", "ws", "socketio", "sse"] as const
export type VariantName = (typeof variants)[number]

export interface Listening {
  readonly port: number
  /** Size of every update, encoded. */
  readonly updateBytes: number
}

export type ServerOrder =
  | { readonly kind: "publish"; readonly rate: number; readonly seconds: number }
  /** Answered with `NodeJS.CpuUsage` of the process so far. */
  | { readonly kind: "cpu" }

export interface Published {
  readonly published: number
  readonly startedAtUs: number
  /** When the frame after the last one would have been due. */
  readonly endedAtUs: number
}

export type GeneratorOrder =
  | {
      readonly kind: "connect"
      readonly variant: VariantName
      readonly port: number
      readonly sockets: number
      readonly updateBytes: number
    }
  /** Forget what was counted so far. */
  | { readonly kind: "begin" }
  /** Wait until every socket has this many frames, or nothing comes any more; then tell. */
  | { readonly kind: "settle"; readonly framesPerSocket: number }

export interface Delivered {
  readonly delivered: number
  /** Sockets with more or fewer frames than were published. */
  readonly unevenSockets: number
  readonly lastAtUs: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Share of one core the generator was busy since `begin`. Near 1 means that it, not the server, was the limit. */
  readonly cpuShare: number
}
