/** The process of all clients of a run. It takes orders from the harness over the channel of its parent. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { Random } from "@matchpoint/simulator/random"
import { collectPauses, type Window } from "../../check/pauses.ts"
import { checkTranscript } from "../../check/transcript.ts"
import type { Follower } from "./Follower.ts"
import type { ClientGroup, ClientsOrder, ClientsReport, ClientsStatus, ConnectOrder, GroupUse, Pauses, Reached } from "./orders.ts"
import { RawFollower } from "./RawFollower.ts"
import { SdkFollower } from "./SdkFollower.ts"
import { spansOf } from "./spans.ts"

/** Clients that begin to connect in each 50 ms. */
const STARTED_PER_STEP = 25
const STEP_MS = 50
const CONNECT_WITHIN_MS = 120_000
const LISTED = 20

interface Member {
  readonly name: string
  readonly group: ClientGroup
  readonly room: string
  readonly follower: Follower
}

let crowd: ReadonlyArray<Member> = []
let matchIds: ReadonlyArray<string> = []

/** One address of loopback for each client, because a gateway limits handshakes per address. */
const addressOf = (index: number): string => `127.1.${(index >> 8) & 255}.${index & 255}`

const memberOf = (order: ConnectOrder, group: ClientGroup, index: number, place: number): Member => {
  const room = group.room === "all" ? "all" : (order.matchIds[place % order.matchIds.length] ?? "all")
  const name = `${group.name}-${place + 1}`
  const transport = group.transport ?? "websocket"
  const plan = { name, key: group.key, gateways: order.gateways, index, localAddress: addressOf(index + 1), room, transport }
  const follower = group.client === "sdk" ? new SdkFollower(plan) : new RawFollower(plan, new Random(order.seed * 100_000 + index))
  return { name, group, room, follower }
}

const connectAll = async (order: ConnectOrder): Promise<object> => {
  matchIds = order.matchIds
  const members = order.groups.flatMap((group) => Array.from({ length: group.clients }, (_, place) => ({ group, place })))
  crowd = members.map(({ group, place }, index) => memberOf(order, group, index, place))
  for (const [index, { follower }] of crowd.entries()) {
    follower.start()
    if (index % STARTED_PER_STEP === STARTED_PER_STEP - 1) await delay(STEP_MS)
  }
  const deadline = performance.now() + CONNECT_WITHIN_MS
  while (crowd.some(({ follower }) => !follower.isLive) && performance.now() < deadline) await delay(20)
  return { connected: crowd.filter(({ follower }) => follower.isLive).length }
}

const followedBy = ({ room }: Member): ReadonlyArray<string> => (room === "all" ? matchIds : [room])

const lagOf = (member: Member, seqs: Readonly<Record<string, number>>): string | undefined => {
  const late = followedBy(member).find((matchId) => member.follower.seqOf(matchId) < (seqs[matchId] ?? 0))
  return late === undefined ? undefined : `${member.name} has ${late} up to ${member.follower.seqOf(late)}, not ${seqs[late]}`
}

const reach = async (seqs: Readonly<Record<string, number>>, withinMs: number): Promise<Reached> => {
  const prompt = crowd.filter(({ group }) => group.delayMs === 0)
  const deadline = performance.now() + withinMs
  for (;;) {
    const late = prompt.flatMap((member) => lagOf(member, seqs) ?? [])
    if (late.length === 0 || performance.now() > deadline) return { behind: late.length, examples: late.slice(0, 10) }
    await delay(50)
  }
}

const pauses = (window: Window): Pauses => {
  const longest = new Map<string, number>()
  for (const { follower, group } of crowd) if (group.delayMs === 0) collectPauses(follower.entries, window, longest)
  return Object.fromEntries(longest)
}

const useOf = (group: ClientGroup): GroupUse => {
  const members = crowd.filter((member) => member.group === group)
  const spans = members.map(({ follower }) => spansOf(follower.entries, Date.now()))
  return { name: group.name, key: group.key, clients: members.length, connects: spans.reduce((sum, list) => sum + list.length, 0), spans }
}

const count = (totals: Record<string, number>, name: string, by = 1): void => {
  totals[name] = (totals[name] ?? 0) + by
}

const report = (folder: string | undefined): ClientsReport => {
  const totals = { frames: 0, connects: 0, announced: 0, violations: 0 }
  const verdicts: Record<string, number> = {}
  const closes: Record<string, number> = {}
  const findings: Array<string> = []
  for (const { follower, group, name } of crowd) {
    follower.close()
    const checked = checkTranscript(name, follower.entries, group.delayMs)
    totals.frames += checked.frames
    totals.connects += checked.connects
    totals.announced += checked.announced
    totals.violations += checked.violations
    for (const [verdict, times] of Object.entries(checked.verdicts)) count(verdicts, verdict, times)
    for (const entry of follower.entries) if (entry.kind === "close") count(closes, entry.reason)
    findings.push(...checked.findings)
    if (folder !== undefined) {
      writeFileSync(join(folder, `${name}.ndjson`), follower.entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""))
    }
  }
  const groups = [...new Set(crowd.map(({ group }) => group))]
  return { clients: crowd.length, ...totals, verdicts, closes, findings: findings.slice(0, LISTED), use: groups.map(useOf) }
}

const status = (): ClientsStatus => {
  const { system, user } = process.cpuUsage()
  const frames = crowd.reduce((sum, { follower }) => sum + follower.entries.length, 0)
  return {
    open: crowd.filter(({ follower }) => follower.isOpen).length,
    live: crowd.filter(({ follower }) => follower.isLive).length,
    frames,
    cpuMs: (system + user) / 1_000,
  }
}

const answer = async (order: ClientsOrder): Promise<object> => {
  switch (order.kind) {
    case "connect":
      return connectAll(order)
    case "reach":
      return reach(order.seqs, order.withinMs)
    case "pauses":
      return pauses(order.window)
    case "report":
      return report(order.folder)
    case "status":
      return status()
  }
}

process.on("message", async (order: ClientsOrder) => process.send?.(await answer(order)))
process.on("disconnect", () => process.exit(0))
