// Owns one measurement: starts the service as `npm start` does, waits until its answers are complete, and asks it meanwhile.
import { setTimeout as delay } from "node:timers/promises"
import { type Service, startService } from "../lib/npmStart.ts"
import { percentile, rounded } from "../lib/statistics.ts"

export interface Start {
  /** Seconds since the command until the first response, and until all answers are complete. */
  readonly firstAnswer: number
  readonly complete: number
  /** CPU seconds of the script and the service until the answers of a running match are complete, and until all are. */
  readonly liveCpu: number
  readonly completeCpu: number
  /** Milliseconds that requests for the live list took, from the first response on. */
  readonly requests: { readonly count: number; readonly p50: number; readonly p99: number; readonly worst: number }
  /** Resident memory at the end, in MB. */
  readonly rssMb: number
}

const KEY = { "x-api-key": "mp_dev_enterprise" }
const COMPLETE_WITHIN_MS = 300_000
/** A request is sent this long after the one before, if that one has been answered. */
const REQUEST_EVERY_MS = 20

/** Lists of the archives, one of each game. */
const archives = ["cs2/matches", "cod/matches", "apex/algs/matches", "tennis/matches"]

/** `requestsFor`: seconds during which requests are sent. `folder`: that of an earlier start, or undefined for an empty one. */
export const measureStartOnce = async (requestsFor: number, folder: string | undefined): Promise<Start> => {
  const since = performance.now()
  const seconds = () => rounded((performance.now() - since) / 1_000, 1)
  const service = await startService({}, folder)
  try {
    const firstAnswer = seconds()
    const completed = async () => {
      await until(() => isLiveComplete(service.port))
      const liveCpu = rounded(service.wholeCpuSeconds(), 1)
      await until(() => areArchivesComplete(service.port))
      return { complete: seconds(), liveCpu, completeCpu: rounded(service.wholeCpuSeconds(), 1) }
    }
    const [requests, measured] = await Promise.all([askSteadily(service.port, requestsFor * 1_000), completed()])
    return { firstAnswer, ...measured, requests, rssMb: Math.round(service.residentBytes() / 2 ** 20) }
  } finally {
    await service.stop()
  }
}

const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  const deadline = performance.now() + COMPLETE_WITHIN_MS
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`The answers were not complete within ${COMPLETE_WITHIN_MS / 1_000} s`)
    await delay(250)
  }
}

/** Returns the content of a response, or undefined if the server has no data yet. */
const dataOf = async (port: number, path: string): Promise<unknown> => {
  const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`, { headers: KEY, signal: AbortSignal.timeout(30_000) })
  const { data }: { readonly data?: unknown } = await response.json()
  if (response.status === 429) throw new Error("The key allows fewer requests than this measurement sends")
  return response.ok ? data : undefined
}

/** True if a match is listed, and its document has teams. */
const isLiveComplete = async (port: number): Promise<boolean> => {
  const list = await dataOf(port, "cs2/live")
  if (!Array.isArray(list) || list.length === 0) return false
  const state = await dataOf(port, `cs2/live/${list[0].matchId}/state`)
  return typeof state === "object" && state !== null
}

/** True if no archive is empty. */
const areArchivesComplete = async (port: number): Promise<boolean> => {
  for (const archive of archives) {
    const data = await dataOf(port, archive)
    if (!Array.isArray(data) || data.length === 0) return false
  }
  return true
}

const askSteadily = async (port: Service["port"], forMs: number): Promise<Start["requests"]> => {
  const end = performance.now() + forMs
  const took: Array<number> = []
  while (performance.now() < end) {
    const at = performance.now()
    await dataOf(port, "cs2/live")
    took.push(performance.now() - at)
    await delay(Math.max(0, at + REQUEST_EVERY_MS - performance.now()))
  }
  took.sort((one, other) => one - other)
  const at = (share: number) => rounded(percentile(took, share), 1)
  return { count: took.length, p50: at(0.5), p99: at(0.99), worst: rounded(took.at(-1) ?? 0, 1) }
}
