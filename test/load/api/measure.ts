// Owns one measurement: a warm-up, then the load, with the CPU time of server and database during it.
import type { ChildProcess } from "node:child_process"
import { calm } from "../lib/calm.ts"
import { ask } from "../lib/child.ts"
import { machineBusyUs } from "../lib/machine.ts"
import { monotonicUs } from "../lib/monotonic.ts"
import { rounded } from "../lib/statistics.ts"
import type { Flags } from "./flags.ts"
import type { Address, Counters, LoadOrder, LoadResult } from "./orders.ts"

const WARM_UP_MS = 1_500
/** Time limit of the pass with one connection, and number of requests per address in it. */
const ALONE_MS = 6_000
const ALONE_TIMES = 3
const PATIENCE_US = 2 * 60 * 1e6

export interface Target {
  readonly child: ChildProcess
  readonly port: number
  readonly secret: string
}

export interface Measured {
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p90Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  readonly responses: number
  readonly notModified: number
  readonly bytesPerResponse: number
  /** CPU time per request, in milliseconds. */
  readonly serverMs: number
  readonly databaseMs: number | null
  readonly generatorMs: number
  readonly coresOfOthers: number
  /** Latencies of the pass with one request at a time. */
  readonly alone: { readonly p50Ms: number; readonly p99Ms: number }
  readonly failed: number
  readonly failures: LoadResult["failures"]
  readonly endpoints: LoadResult["endpoints"]
  /** Slowest addresses of the pass with one connection, without other load. */
  readonly slowest: LoadResult["slowest"]
}

export const measure = async (
  target: Target,
  generator: ChildProcess,
  addresses: ReadonlyArray<Address>,
  flags: Pick<Flags, "connections" | "seconds" | "calmShare">,
  conditional = false,
): Promise<Measured> => {
  const { port, secret } = target
  const load = (order: Pick<LoadOrder, "connections" | "milliseconds" | "times">) =>
    ask<LoadOrder, LoadResult>(generator, { port, secret, addresses, conditional, ...order }, order.milliseconds + 60_000)
  const counters = () => ask<object, Counters>(target.child, { ask: "counters" }, 20_000)

  // Each address once, however long it takes: sessions prepare statements, caches fill, tags are collected.
  await load({ connections: flags.connections, milliseconds: conditional ? 10_000 : WARM_UP_MS, times: conditional ? 1 : undefined })
  if (flags.calmShare !== undefined) await calm(flags.calmShare, monotonicUs() + PATIENCE_US)
  const alone = await load({ connections: 1, milliseconds: ALONE_MS, times: ALONE_TIMES })
  const before = await counters()
  const busyBefore = machineBusyUs()
  const began = monotonicUs()
  const result = await load({ connections: flags.connections, milliseconds: flags.seconds * 1_000 })
  const busyUs = machineBusyUs() - busyBefore
  const tookUs = monotonicUs() - began
  const after = await counters()

  const { bytes, cpuUs, failed, failures, endpoints, maxMs, notModified, p50Ms, p90Ms, p99Ms, responses, seconds } = result
  const serverUs = after.cpuUs - before.cpuUs
  const databaseUs = after.databaseCpuUs === null || before.databaseCpuUs === null ? null : after.databaseCpuUs - before.databaseCpuUs
  const each = (us: number) => rounded(us / 1e3 / responses, 3)
  return {
    requestsPerSecond: Math.round(responses / seconds),
    p50Ms,
    p90Ms,
    p99Ms,
    maxMs,
    responses,
    notModified,
    bytesPerResponse: Math.round(bytes / responses),
    serverMs: each(serverUs),
    databaseMs: databaseUs === null ? null : each(databaseUs),
    generatorMs: each(cpuUs),
    coresOfOthers: rounded(Math.max(0, busyUs - serverUs - (databaseUs ?? 0) - cpuUs) / tookUs, 2),
    alone: { p50Ms: alone.p50Ms, p99Ms: alone.p99Ms },
    failed: failed + alone.failed,
    failures: failures.length > 0 ? failures : alone.failures,
    endpoints,
    slowest: alone.slowest,
  }
}
