// Owns one round: a server and its clients are started, warmed up, measured and stopped. Processes are new in each
// round, because two processes of the same code differ by up to 7 % for their whole lifetime (measured with plain
// uWebSockets.js against a copy of itself). More rounds on the same processes would only repeat that difference.
import type { ChildProcess } from "node:child_process"
import { ask, receive, start, stop } from "../lib/child.ts"
import { machineBusyUs } from "../lib/machine.ts"
import { monotonicUs } from "../lib/monotonic.ts"
import type { Payload } from "./changes.ts"
import type { Delivered, GeneratorOrder, Listening, Published, ServerOrder, VariantName } from "./orders.ts"

export interface Load {
  readonly sockets: number
  /** Frames per second. */
  readonly rate: number
  readonly payload: Payload
  readonly seconds: number
}

export interface Round {
  /** Size of the smallest frame, as encoded. */
  readonly frameBytes: number
  readonly cpuUsPerFrame: number
  readonly deliveredPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly lastP50Ms: number
  readonly lastP99Ms: number
  readonly generatorCpuShare: number
  /** CPU time of all other processes, as a share of one core. */
  readonly othersCpuShare: number
  /** Published frames as a share of the requested rate. Below 1, the server could not keep up. */
  readonly keptUp: number
  /** Published frames times sockets, minus the frames that arrived. */
  readonly lost: number
  readonly unevenSockets: number
}

const START_TIMEOUT_MS = 30_000
const CONNECT_TIMEOUT_MS = 60_000
/** Time for a server that is far behind to send what it has published. */
const DRAIN_TIMEOUT_MS = 60_000
const WARM_UP_SECONDS = 2
/**
 * Load before clients connect. Code that runs once per frame must be compiled as in a server that has run for hours.
 * With clients at a few hundred frames per second, a warm-up does not achieve that, and the compiler's threads count as
 * the server's CPU (measured: 0.2 us too much per delivered frame for the gateway).
 */
const COMPILING: ServerOrder = { kind: "publish", rate: 2_000, seconds: 2 }

/** Measures one round. `execArgv` are Node flags for the server. */
export const measureRound = async (name: VariantName, load: Load, execArgv: ReadonlyArray<string>): Promise<Round> => {
  const server = start(new URL("server.ts", import.meta.url), [name, JSON.stringify(load.payload)], execArgv)
  const generator = start(new URL("generator.ts", import.meta.url))
  try {
    const { port, frameBytes } = await receive<Listening>(server, START_TIMEOUT_MS)
    // A match ends after some time. For `feed`, the server plays another match before this one.
    if (load.payload.kind === "frames") await ask(server, COMPILING, START_TIMEOUT_MS)
    const { shape } = load.payload
    await ask(generator, { kind: "connect", variant: name, port, sockets: load.sockets, frameBytes, shape }, CONNECT_TIMEOUT_MS)
    await measurePeriod(server, generator, load, WARM_UP_SECONDS)
    return { frameBytes, ...(await measurePeriod(server, generator, load, load.seconds)) }
  } finally {
    await Promise.all([stop(server), stop(generator)])
  }
}

/**
 * CPU time is counted from before the first frame until the last one has arrived, including everything else that the
 * server does.
 */
const measurePeriod = async (
  server: ChildProcess,
  generator: ChildProcess,
  { sockets, rate }: Load,
  seconds: number,
): Promise<Omit<Round, "frameBytes">> => {
  const askServer = <A>(order: ServerOrder) => ask<ServerOrder, A>(server, order, seconds * 1e3 + DRAIN_TIMEOUT_MS)
  const askGenerator = <A>(order: GeneratorOrder) => ask<GeneratorOrder, A>(generator, order, DRAIN_TIMEOUT_MS)
  await askGenerator({ kind: "begin" })
  const before = await askServer<NodeJS.CpuUsage>({ kind: "cpu" })
  const busyBefore = machineBusyUs()
  const began = monotonicUs()
  const published = await askServer<Published>({ kind: "publish", rate, seconds })
  const delivered = await askGenerator<Delivered>({ kind: "settle", published })
  const after = await askServer<NodeJS.CpuUsage>({ kind: "cpu" })
  const cpuUs = after.user + after.system - before.user - before.system
  const wallUs = monotonicUs() - began
  const othersUs = machineBusyUs() - busyBefore - cpuUs - delivered.cpuShare * wallUs
  const elapsedUs = Math.max(delivered.lastAtUs, published.endedAtUs) - published.startedAtUs
  return {
    cpuUsPerFrame: cpuUs / delivered.delivered,
    deliveredPerSecond: (delivered.delivered * 1e6) / elapsedUs,
    p50Ms: delivered.p50Ms,
    p99Ms: delivered.p99Ms,
    lastP50Ms: delivered.lastP50Ms,
    lastP99Ms: delivered.lastP99Ms,
    generatorCpuShare: delivered.cpuShare,
    othersCpuShare: othersUs / wallUs,
    keptUp: published.published / Math.ceil(rate * seconds),
    lost: published.published * sockets - delivered.delivered,
    unevenSockets: delivered.unevenSockets,
  }
}
