// Owns one measurement: the service as `npm start` wires it, one normal client, hostile clients, and their effect on the
// server's memory and on the normal client. Attacks are measured one after another on the same service.
import { setTimeout as delay } from "node:timers/promises"
import { API_KEY_HEADER } from "@matchpoint/contracts/http/Authentication"
import { receive, start, stop } from "../lib/child.ts"
import { machineBusyUs } from "../lib/machine.ts"
import { monotonicUs } from "../lib/monotonic.ts"
import { type Service, startService } from "../lib/npmStart.ts"
import { percentile, rounded } from "../lib/statistics.ts"
import { ADMIN_TOKEN, createKey, requestsBilled } from "./accounts.ts"
import type { AttackName } from "./attacks.ts"
import type { Outcomes } from "./crowd.ts"

export interface Load {
  /** Attacks by the name of their row. Each is measured alone, in this order. */
  readonly runs: ReadonlyArray<{ readonly name: string; readonly attacks: ReadonlyArray<AttackName> }>
  readonly clients: number
  readonly seconds: number
  /** Maximum actions per second and client. */
  readonly rate: number
  /** Seconds with the normal client alone, before each attack. */
  readonly warmUp: number
  /** Longest wait for the service to be idle before each attack. */
  readonly idleWithin: number
}

export interface Phase {
  readonly requests: number
  /** Requests answered with 200. */
  readonly served: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly worstMs: number
  /**
   * Responses to the normal client other than 200, by status, or `failed` without a response. 503: its use could not be
   * metered.
   */
  readonly refused: Readonly<Record<string, number>>
  readonly peakRssMb: number
  /** CPU time of the whole machine per second, in cores. */
  readonly machineBusy: number
}

export interface Cost {
  readonly name: string
  /** False if the service was still busy when the baseline began, for instance with writing its samples. */
  readonly isBaselineIdle: boolean
  readonly before: Phase
  readonly during: Phase
  /** RSS before the attack, and some seconds after it, MB. */
  readonly rssBeforeMb: number
  readonly rssAfterMb: number
  /** Peak of RSS during the attack minus RSS before it. */
  readonly extraMb: number
  readonly outcomes: Outcomes
}

export interface Report {
  readonly costs: ReadonlyArray<Cost>
  /** Responses with 200 to the normal client, and the number that the ledger has billed afterwards. */
  readonly served: number
  readonly billed: number
  /** True if no request was rejected because it could not be metered, and everything served was billed. */
  readonly ledgerAvailable: boolean
}

/** Without a feed token, a server on its own database has no feed intake. */
const FEED_TOKEN = "feed-token-of-the-hostile-benchmark"
/** Wait for the ledger, which is written every few seconds. */
const SETTLED_AFTER_MS = 15_000
const EVERY_MS = 100
const SAMPLE_EVERY_MS = 200
const TIMEOUT_MS = 30_000
/** Extra time for the last actions, which may end late on a busy machine. */
const CROWD_PATIENCE_MS = 120_000
/** CPU of the service, in cores, below which it is idle. Four simulated matches take less. */
const IDLE_CORES = 0.3
const IDLE_FOR_MS = 5_000
const MB = 2 ** 20

/** Uses the database of `DATABASE_URL` if it is set. That database must be empty. `onCost` is called after each attack. */
export const measureHostile = async (load: Load, onCost: (cost: Cost) => void): Promise<Report> => {
  const service = await startService({
    MATCHPOINT_SIMULATED_MATCHES: "4",
    MATCHPOINT_ADMIN_TOKEN: ADMIN_TOKEN,
    MATCHPOINT_FEED_TOKEN: FEED_TOKEN,
  })
  const { port } = service
  try {
    const normal = await createKey(port, "pro")
    const hostile = await createKey(port, "business")
    const costs: Array<Cost> = []
    for (const run of load.runs) {
      const cost = await measureAttack(service, load, run, { normal: normal.secret, hostile: hostile.secret })
      onCost(cost)
      costs.push(cost)
    }
    await delay(SETTLED_AFTER_MS)
    const billed = await requestsBilled(port, normal.accountId)
    const served = costs.reduce((sum, { before, during }) => sum + before.served + during.served, 0)
    const isRefused = costs.some(({ during }) => during.refused["503"] !== undefined)
    return { costs, served, billed, ledgerAvailable: !isRefused && billed === served }
  } finally {
    await service.stop()
  }
}

const measureAttack = async (
  service: Service,
  { clients, idleWithin, rate, seconds, warmUp }: Load,
  { attacks, name }: Load["runs"][number],
  keys: { readonly normal: string; readonly hostile: string },
): Promise<Cost> => {
  const { port, residentBytes } = service
  const mb = () => rounded(residentBytes() / MB, 0)
  const isBaselineIdle = await idle(service, idleWithin * 1_000)
  const before = await normalClient(port, keys.normal, residentBytes, delay(warmUp * 1_000))
  const rssBeforeMb = mb()
  const crowdArguments = [port, keys.hostile, FEED_TOKEN, attacks.join(","), clients, seconds, rate].map(String)
  const crowd = start(new URL("crowd.ts", import.meta.url), crowdArguments)
  const attacking = receive<Outcomes>(crowd, seconds * 1_000 + CROWD_PATIENCE_MS)
  const [during, outcomes] = await Promise.all([normalClient(port, keys.normal, residentBytes, attacking), attacking]).finally(() =>
    stop(crowd),
  )
  await delay(SETTLED_AFTER_MS)
  return { name, isBaselineIdle, before, during, rssBeforeMb, rssAfterMb: mb(), extraMb: during.peakRssMb - rssBeforeMb, outcomes }
}

/** Waits until the service has used little CPU for some seconds. Returns false if it has not within `withinMs`. */
const idle = async ({ cpuSeconds }: Service, withinMs: number): Promise<boolean> => {
  const deadline = performance.now() + withinMs
  while (performance.now() < deadline) {
    const [usedBefore, began] = [cpuSeconds(), performance.now()]
    await delay(IDLE_FOR_MS)
    if ((cpuSeconds() - usedBefore) / ((performance.now() - began) / 1_000) < IDLE_CORES) return true
  }
  return false
}

/** Sends ten requests per second, each when it is due, until `ended` resolves. */
const normalClient = async (port: number, key: string, residentBytes: () => number, ended: Promise<unknown>): Promise<Phase> => {
  const latencies: Array<number> = []
  const refused: Record<string, number> = {}
  const asking: Array<Promise<void>> = []
  let isOver = false
  const over = ended.finally(() => {
    isOver = true
  })
  const ask = async (dueAt: number) => {
    const status = await fetch(`http://127.0.0.1:${port}/api/v1/cs2/live`, {
      headers: { [API_KEY_HEADER]: key },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).then(
      async (response) => {
        await response.arrayBuffer()
        return String(response.status)
      },
      () => "failed",
    )
    latencies.push(performance.now() - dueAt)
    if (status !== "200") refused[status] = (refused[status] ?? 0) + 1
  }
  let peak = 0
  const sampling = setInterval(() => {
    peak = Math.max(peak, residentBytes())
  }, SAMPLE_EVERY_MS)
  const [busyBefore, beganUs, began] = [machineBusyUs(), monotonicUs(), performance.now()]
  for (let n = 0; !isOver; n++) {
    const dueAt = began + n * EVERY_MS
    await delay(Math.max(0, dueAt - performance.now()))
    asking.push(ask(dueAt))
  }
  clearInterval(sampling)
  const machineBusy = rounded((machineBusyUs() - busyBefore) / (monotonicUs() - beganUs), 2)
  await Promise.all(asking)
  await over
  const sorted = latencies.sort((one, other) => one - other)
  return {
    requests: sorted.length,
    served: sorted.length - Object.values(refused).reduce((sum, count) => sum + count, 0),
    p50Ms: rounded(percentile(sorted, 0.5), 1),
    p99Ms: rounded(percentile(sorted, 0.99), 1),
    worstMs: rounded(percentile(sorted, 1), 1),
    refused,
    peakRssMb: rounded(peak / MB, 0),
    machineBusy,
  }
}
