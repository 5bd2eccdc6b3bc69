// Owns one round: a server and its crowd, started for it, warmed up, measured and ended.
// Fresh processes each time, because two processes of the very same code differ by up to 7 % for as long as they live (measured with
// plain uWebSockets.js against a copy of itself), so that more rounds on the same ones would only repeat their luck.
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
  /** Size of the smallest frame as it was really made. */
  readonly frameBytes: number
  readonly cpuUsPerFrame: number
  readonly deliveredPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly lastP50Ms: number
  readonly lastP99Ms: number
  readonly generatorCpuShare: number
  /** What processes other than the two used, as a share of one core. */
  readonly othersCpuShare: number
  /** Published, as a share of what the rate asked for. Below 1 the server could not keep up. */
  readonly keptUp: number
  /** Published times sockets, less what arrived. */
  readonly lost: number
  readonly unevenSockets: number
}

const START_TIMEOUT_MS = 30_000
const CONNECT_TIMEOUT_MS = 60_000
/** For a server that is far behind to get rid of what it has published. */
const DRAIN_TIMEOUT_MS = 60_000
const WARM_UP_SECONDS = 2
/**
 * Before anybody follows. What is done once per frame has to be compiled as it is in a server that runs for hours: with a crowd at a
 * few hundred frames a second it is not within a warm-up, and the compiler's own threads count as the server's CPU (measured: 0.2 us
 * per delivered frame too much for the gateway).
 */
const COMPILING: ServerOrder = { kind: "publish", rate: 2_000, seconds: 2 }

/** `execArgv` are flags of Node for the server. */
export const measureRound = async (name: VariantName, load: Load, execArgv: ReadonlyArray<string>): Promise<Round> => {
  const server = start(new URL("server.ts", import.meta.url), [name, JSON.stringify(load.payload)], execArgv)
  const generator = start(new URL("generator.ts", import.meta.url))
  try {
    const { port, frameBytes } = await receive<Listening>(server, START_TIMEOUT_MS)
    // A match ends some time: where facts are fed another one was played before.
    if (load.payload.kind === "frames") await ask(server, COMPILING, START_TIMEOUT_MS)
    const { shape } = load.payload
    await ask(generator, { kind: "connect", variant: name, port, sockets: load.sockets, frameBytes, shape }, CONNECT_TIMEOUT_MS)
    await stretch(server, generator, load, WARM_UP_SECONDS)
    return { frameBytes, ...(await stretch(server, generator, load, load.seconds)) }
  } finally {
    await Promise.all([stop(server), stop(generator)])
  }
}

/** CPU is counted from before the first frame until the last one has arrived, whatever the server does in between. */
const stretch = async (
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
