// Owns one measurement: the service as `npm start` wires it, one normal client for the whole time, hostile clients in
// the second half, and their effect on the server's memory and on the normal client.
import { setTimeout as delay } from "node:timers/promises"
import { API_KEY_HEADER } from "@matchpoint/contracts/http/Authentication"
import { receive, start, stop } from "../lib/child.ts"
import { machineBusyUs } from "../lib/machine.ts"
import { monotonicUs } from "../lib/monotonic.ts"
import { startService } from "../lib/npmStart.ts"
import { percentile, rounded } from "../lib/statistics.ts"
import { ADMIN_TOKEN, createKey, requestsBilled } from "./accounts.ts"
import type { Outcomes } from "./crowd.ts"

export interface Load {
  readonly clients: number
  readonly seconds: number
  /** Maximum attacks per second and client. */
  readonly rate: number
  /** Seconds with the normal client alone, before the hostile clients start. */
  readonly warmUp: number
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
  readonly before: Phase
  readonly during: Phase
  readonly extraMb: number
  /** Responses with 200 to the normal client, and the number that the ledger has billed afterwards. */
  readonly served: number
  readonly billed: number
  /** True if no request was rejected because it could not be metered, and everything served was billed. */
  readonly ledgerAvailable: boolean
  readonly outcomes: Outcomes
}

/** Not known to the hostile clients. Without a feed token, a server on its own database has no feed intake. */
const FEED_TOKEN = "feed-token-of-the-hostile-benchmark"
/** Wait for the ledger, which is written every few seconds. */
const SETTLED_AFTER_MS = 15_000
const EVERY_MS = 100
const SAMPLE_EVERY_MS = 200
const TIMEOUT_MS = 30_000
/** Extra time for the last attacks, which may end late on a busy machine. */
const CROWD_PATIENCE_MS = 120_000
const MB = 2 ** 20

/** Uses the database of `DATABASE_URL` if it is set. That database must be empty. */
export const measureHostile = async (load: Load): Promise<Cost> => {
  const service = await startService({
    MATCHPOINT_SIMULATED_MATCHES: "4",
    MATCHPOINT_ADMIN_TOKEN: ADMIN_TOKEN,
    MATCHPOINT_FEED_TOKEN: FEED_TOKEN,
  })
  const { port, residentBytes } = service
  try {
    const normal = await createKey(port, "pro")
    const hostile = await createKey(port, "business")
    const before = await normalClient(port, normal.secret, residentBytes, delay(load.warmUp * 1_000))
    const crowdArguments = [port, hostile.secret, load.clients, load.seconds, load.rate].map(String)
    const crowd = start(new URL("crowd.ts", import.meta.url), crowdArguments)
    const attacking = receive<Outcomes>(crowd, load.seconds * 1_000 + CROWD_PATIENCE_MS)
    const [during, outcomes] = await Promise.all([normalClient(port, normal.secret, residentBytes, attacking), attacking]).finally(() =>
      stop(crowd),
    )
    await delay(SETTLED_AFTER_MS)
    const billed = await requestsBilled(port, normal.accountId)
    const served = before.served + during.served
    const ledgerAvailable = during.refused["503"] === undefined && billed === served
    return { before, during, extraMb: during.peakRssMb - before.peakRssMb, served, billed, ledgerAvailable, outcomes }
  } finally {
    await service.stop()
  }
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
