// Owns the messages between the processes of the reconnect benchmark.

/** Opens sockets at a gateway at the same moment. Answered with `Reconnected` once each has succeeded or failed. */
export interface GeneratorOrder {
  readonly port: number
  readonly sockets: number
  /** Index of the first key. Each key is used by `socketsPerKey` sockets. */
  readonly firstKey: number
  readonly socketsPerKey: number
  /** Number of client addresses, from 127.0.0.2 on. */
  readonly addresses: number
}

export interface Reconnected {
  /** Milliseconds from the order until the first message of each socket, unsorted. */
  readonly readyMs: ReadonlyArray<number>
  /** Number of sockets by HTTP status or error, without those that were accepted. */
  readonly refused: Readonly<Record<string, number>>
}

export const keyOf = (index: number): string => `mp_bench_${String(index).padStart(8, "0")}`
