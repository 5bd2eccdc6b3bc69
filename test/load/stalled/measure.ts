// Owns one measurement: frames at a steady rate, one or more SSE clients that read them, and a crowd that connects
// meanwhile and never reads. Its result is what the crowd costs the server and the others.
import { nodeFlags } from "../../../infra/nodeFlags.mjs"
import type { Delivered } from "../fanout/orders.ts"
import { ask, receive, start, stop } from "../lib/child.ts"
import { machineBusyUs } from "../lib/machine.ts"
import { monotonicUs } from "../lib/monotonic.ts"
import { rounded } from "../lib/statistics.ts"
import type { Cpu, GeneratorOrder, Listening, Memory, Ran, ServerOrder, Transport } from "./orders.ts"

export interface Load {
  /** Transport of the crowd. */
  readonly transport: Transport
  /** Clients of the crowd. */
  readonly clients: number
  /** Clients of the crowd that connect per second. */
  readonly ramp: number
  /** SSE clients that read and are measured. */
  readonly readers: number
  readonly matches: number
  /** Frames per second over all matches. */
  readonly rate: number
  readonly bytes: number
  readonly seconds: number
}

export interface Cost {
  /** Highest RSS while frames were sent, and RSS at the end, MB. */
  readonly peakRssMb: number
  readonly rssMb: number
  /** RSS before the first frame and the crowd. */
  readonly idleRssMb: number
  /** CPU time of the server per second, in cores. */
  readonly cpuShare: number
  /** Longest time in which the server's event loop did not turn, ms. Includes waiting for a core. */
  readonly longestBlockMs: number
  /** Latency from when a frame was due until a reader had it. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly worstMs: number
  /** Readers that did not receive every frame exactly once. */
  readonly uneven: number
  /** Share of a core that unrelated processes used. Unless it is small, they also cause delays. */
  readonly othersCpuShare: number
}

const TIMEOUT_MS = 120_000
const MB = 2 ** 20
/** The readers need no ramp. */
const AT_ONCE = 1_000

/** The crowd begins to connect with the first frame. `clients` 0: the readers alone. */
export const measureCrowd = async (load: Load): Promise<Cost> => {
  const { bytes, clients, matches, ramp, rate, readers, seconds, transport } = load
  const server = start(new URL("server.ts", import.meta.url), [String(matches), String(bytes)], nodeFlags)
  const crowd = start(new URL("generator.ts", import.meta.url))
  const others = start(new URL("generator.ts", import.meta.url))
  const askServer = <A>(order: ServerOrder, timeoutMs = TIMEOUT_MS) => ask<ServerOrder, A>(server, order, timeoutMs)
  try {
    const { frameBytes, port } = await receive<Listening>(server, TIMEOUT_MS)
    const connect = (order: Omit<GeneratorOrder & { readonly kind: "connect" }, "frameBytes" | "kind" | "port">): GeneratorOrder => ({
      kind: "connect",
      port,
      frameBytes,
      ...order,
    })
    await ask(others, connect({ transport: "sse", clients: readers, perSecond: AT_ONCE, behavior: "reading" }), TIMEOUT_MS)
    const idle = await askServer<Memory>({ kind: "memory" })
    const cpuOf = async (kind: "begin" | "cpu") => {
      const used = [crowd, others].map((child) => ask<GeneratorOrder, Cpu>(child, { kind }, TIMEOUT_MS))
      return (await Promise.all(used)).reduce((sum, { cpuUs }) => sum + cpuUs, 0)
    }
    const ownBefore = await cpuOf("begin")
    const [busyBefore, beganUs] = [machineBusyUs(), monotonicUs()]
    const [ran] = await Promise.all([
      askServer<Ran>({ kind: "run", rate, seconds }, seconds * 1e3 + TIMEOUT_MS),
      ask(crowd, connect({ transport, clients, perSecond: ramp, behavior: "stalled" }), (clients / ramp) * 1e3 + TIMEOUT_MS),
    ])
    const [busyUs, tookUs] = [machineBusyUs() - busyBefore, monotonicUs() - beganUs]
    const ownUs = (await cpuOf("cpu")) - ownBefore + ran.cpuUs
    const settled = await ask<GeneratorOrder, Delivered>(others, { kind: "settle", published: ran.published }, TIMEOUT_MS)
    const mb = (memory: number) => rounded(memory / MB, 0)
    return {
      peakRssMb: mb(ran.peakRss),
      rssMb: mb(ran.rss),
      idleRssMb: mb(idle.rss),
      cpuShare: rounded(ran.cpuUs / (seconds * 1e6), 2),
      longestBlockMs: rounded(ran.longestBlockMs, 0),
      p50Ms: settled.p50Ms,
      p99Ms: settled.p99Ms,
      worstMs: settled.worstMs,
      uneven: settled.unevenSockets,
      othersCpuShare: rounded(Math.max(0, busyUs - ownUs) / tookUs, 2),
    }
  } finally {
    await Promise.all([stop(server), stop(crowd), stop(others)])
  }
}
