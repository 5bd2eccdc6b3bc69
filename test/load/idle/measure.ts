// Owns one measurement of a server: its memory without and with its clients, in new processes.
import { ask, receive, start, stop } from "../lib/child.ts"
import { median } from "../lib/statistics.ts"
import type { GeneratorOrder, Listening, Memory, ServerOrder, VariantName } from "./orders.ts"

export interface Idle {
  readonly connected: number
  /**
   * Memory of the process (RSS) that each socket beyond the first quarter adds. The first sockets use pages left over
   * from the start.
   */
  readonly bytesPerSocket: number
  /** RSS with all sockets minus RSS without sockets, per socket. */
  readonly fromNoneBytes: number
  /** Bytes per socket on the JavaScript heap. */
  readonly heapBytesPerSocket: number
  readonly rssMb: number
}

const TIMEOUT_MS = 120_000
const WARM_UP = 200

/**
 * Measures a server. A few sockets connect and disconnect first, so that code that a process loads and compiles once
 * does not count as the sockets' memory. With more of them, the measured sockets would reuse the pages that these leave
 * behind, which are not counted (measured: a third of the real memory). `snapshots`: writes a heap snapshot before and
 * after, in the working directory.
 */
export const measureIdle = async (variant: VariantName, sockets: number, snapshots = false): Promise<Idle> => {
  const server = start(new URL("server.ts", import.meta.url), [variant], ["--expose-gc"])
  const generator = start(new URL("generator.ts", import.meta.url))
  try {
    const { port } = await receive<Listening>(server, TIMEOUT_MS)
    const crowd = async (count: number): Promise<number> => {
      const { connected } = await ask<GeneratorOrder, { readonly connected: number }>(
        generator,
        { variant, port, sockets: count },
        TIMEOUT_MS,
      )
      return connected
    }
    const memory = () => ask<ServerOrder, Memory>(server, { kind: "memory" }, TIMEOUT_MS)
    await crowd(Math.min(WARM_UP, sockets))
    await memory()
    await crowd(0)
    await memory()
    const before = await memory()
    if (snapshots) await ask<ServerOrder, unknown>(server, { kind: "snapshot" }, TIMEOUT_MS)
    const quarter = await crowd(Math.ceil(sockets / 4))
    const between = await memory()
    const connected = await crowd(sockets)
    const after = await memory()
    if (snapshots) await ask<ServerOrder, unknown>(server, { kind: "snapshot" }, TIMEOUT_MS)
    return {
      connected,
      bytesPerSocket: Math.round((after.rss - between.rss) / (connected - quarter)),
      fromNoneBytes: Math.round((after.rss - before.rss) / connected),
      heapBytesPerSocket: Math.round((after.heapUsed - before.heapUsed) / connected),
      rssMb: Math.round(after.rss / 2 ** 20),
    }
  } finally {
    await Promise.all([stop(server), stop(generator)])
  }
}

export const medianOf = (runs: ReadonlyArray<Idle>): Idle => {
  const middle = (field: (run: Idle) => number) => Math.round(median(runs.map(field)))
  return {
    connected: middle((run) => run.connected),
    bytesPerSocket: middle((run) => run.bytesPerSocket),
    fromNoneBytes: middle((run) => run.fromNoneBytes),
    heapBytesPerSocket: middle((run) => run.heapBytesPerSocket),
    rssMb: middle((run) => run.rssMb),
  }
}
