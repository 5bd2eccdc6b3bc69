// Owns the clients: many in one process that follow, are disconnected, reconnect all at once and check every frame.
import { setTimeout as delay } from "node:timers/promises"
import { ALL, matchRoom } from "@matchpoint/contracts/stream/rooms"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { monotonicUs } from "../lib/monotonic.ts"
import { percentile, rounded } from "../lib/statistics.ts"
import { Client } from "./Client.ts"
import type { GeneratorOrder, Returned, Verified } from "./orders.ts"

const CONNECTING = 200
const ATTEMPTS = 5
const SETTLE_MS = 30_000

interface Member {
  readonly client: Client
  /** Index of the followed match. Undefined: all matches. */
  readonly match: number | undefined
}

let crowd: ReadonlyArray<Member> = []
let retries = 0

/** Runs `work` once for every client, with at most `atOnce` at a time. */
const each = async (atOnce: number, work: (client: Client) => Promise<void>): Promise<void> => {
  let next = 0
  const worker = async () => {
    for (let member = crowd[next++]; member !== undefined; member = crowd[next++]) await work(member.client)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, crowd.length) }, worker))
}

const followWithRetries = async (client: Client): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.follow()
      return
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
      retries++
      client.cut()
      await delay(100)
    }
  }
}

const connectAll = async ({ port, clients, matches, room, shapes }: GeneratorOrder & { readonly kind: "connect" }): Promise<void> => {
  crowd = Array.from({ length: clients }, (_, index) => {
    const match = index % matches
    const shape = shapes[Math.floor(index / matches) % shapes.length] ?? "v1"
    return {
      client: new Client(port, room === "all" ? ALL : matchRoom(matchId(match + 1)), shape),
      match: room === "all" ? undefined : match,
    }
  })
  await each(CONNECTING, followWithRetries)
}

const reconnectAll = async (atOnce: number): Promise<Returned> => {
  const cpu = process.cpuUsage()
  const began = monotonicUs()
  const took: Array<number> = []
  retries = 0
  for (const { client } of crowd) client.transcript.verdict = undefined
  await each(atOnce, async (client) => {
    await followWithRetries(client)
    took.push(monotonicUs() - began)
  })
  const wallUs = monotonicUs() - began
  const { user, system } = process.cpuUsage(cpu)
  const sorted = Float64Array.from(took).sort()
  const verdicts: Record<string, number> = {}
  for (const { client } of crowd) {
    const verdict = client.transcript.verdict ?? "none"
    verdicts[verdict] = (verdicts[verdict] ?? 0) + 1
  }
  const ms = (us: number) => rounded(us / 1e3, 1)
  return {
    clients: took.length,
    p50Ms: ms(percentile(sorted, 0.5)),
    p99Ms: ms(percentile(sorted, 0.99)),
    lastMs: ms(sorted.at(-1) ?? Number.NaN),
    verdicts,
    retries,
    cpuShare: rounded((user + system) / wallUs, 2),
  }
}

const isBehind = ({ client, match }: Member, seqs: ReadonlyArray<number>): boolean =>
  seqs.some((seq, index) => (match === undefined || match === index) && client.transcript.seqOf(matchId(index + 1)) !== seq)

const verify = async (seqs: ReadonlyArray<number>): Promise<Verified> => {
  const deadline = monotonicUs() + SETTLE_MS * 1e3
  while (crowd.some((member) => isBehind(member, seqs)) && monotonicUs() < deadline) await delay(20)
  const sum = (field: (client: Client) => number) => crowd.reduce((total, { client }) => total + field(client), 0)
  return {
    frames: sum(({ transcript }) => transcript.frames),
    lost: sum(({ transcript }) => transcript.lost),
    duplicated: sum(({ transcript }) => transcript.duplicated),
    behind: crowd.filter((member) => isBehind(member, seqs)).length,
    gaps: sum(({ transcript }) => transcript.gaps),
    snapshots: sum(({ transcript }) => transcript.snapshots),
  }
}

const answer = async (order: GeneratorOrder): Promise<object> => {
  switch (order.kind) {
    case "connect":
      await connectAll(order)
      return { connected: crowd.length }
    case "cut":
      for (const { client } of crowd) client.cut()
      return { cut: crowd.length }
    case "return":
      return reconnectAll(order.atOnce)
    case "verify":
      return verify(order.seqs)
  }
}

process.on("message", async (order: GeneratorOrder) => process.send?.(await answer(order)))
process.on("disconnect", () => process.exit(0))
