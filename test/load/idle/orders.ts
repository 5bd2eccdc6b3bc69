// Owns the messages between the processes of the idle socket benchmark.

export const variants = ["raw", "ours", "ws", "socketio"] as const
export type VariantName = (typeof variants)[number]

export interface Listening {
  readonly port: number
}

/** `memory` is answered with `Memory`. `snapshot` writes a heap snapshot and is answered with its path. */
export type ServerOrder = { readonly kind: "memory" } | { readonly kind: "snapshot" }

/** Bytes, after a garbage collection. */
export interface Memory {
  readonly rss: number
  readonly heapUsed: number
  readonly external: number
}

/** Answered with the number of connected sockets. `sockets` 0: close all. */
export interface GeneratorOrder {
  readonly variant: VariantName
  readonly port: number
  readonly sockets: number
}
