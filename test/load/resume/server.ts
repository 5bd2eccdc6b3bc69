// Owns the server process of the measurement: `node server.ts <matches> <bytes of a document>`. The gateway as it runs
// in production on a log in memory, with matches that continue whether or not clients are connected.
import { EventLog } from "@matchpoint/bus/EventLog"
import { liveMessageId, liveSubject } from "@matchpoint/contracts/bus/subjects"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Context, Effect, Layer, ManagedRuntime } from "effect"
import { changesOf } from "../fanout/changes.ts"
import { gatewayOn, MemoryLog } from "../lib/liveGateway.ts"
import { monotonicUs } from "../lib/monotonic.ts"
import type { Listening, ServerOrder, Stopped, Usage } from "./orders.ts"

const [, , matchCount, bytes] = process.argv
const context = await ManagedRuntime.make(gatewayOn(0).pipe(Layer.provideMerge(MemoryLog))).context()
const { address } = Context.get(context, UwsServer)
const log = Context.get(context, EventLog)

const matches = Array.from({ length: Number(matchCount) }, (_, index) =>
  changesOf({ kind: "frames", shape: "v1", bytes: Number(bytes) }, matchId(index + 1)),
)
const seqs = matches.map(() => 0)
let published = 0

const publish = (): void => {
  const index = published++ % matches.length
  const seq = (seqs[index] ?? 0) + 1
  seqs[index] = seq
  const change = matches[index]?.make(seq)
  if (change === undefined) return
  Effect.runSync(log.append(liveSubject(change.matchId), liveMessageId(change.matchId, change.epoch, seq), change.record()))
}

for (let n = 0; n < matches.length; n++) publish()

let timer: NodeJS.Timeout | undefined
let peakRss = 0
setInterval(() => {
  peakRss = Math.max(peakRss, process.memoryUsage.rss())
}, 50).unref()

const start = (rate: number): void => {
  const began = monotonicUs()
  const before = published
  timer = setInterval(() => {
    const due = before + Math.floor(((monotonicUs() - began) * rate) / 1e6)
    while (published < due) publish()
  }, 5)
}

process.on("message", (order: ServerOrder) => {
  switch (order.kind) {
    case "start":
      start(order.rate)
      process.send?.({ started: true })
      break
    case "stop": {
      clearInterval(timer)
      const stopped: Stopped = { seqs }
      process.send?.(stopped)
      break
    }
    case "usage": {
      const { user, system } = process.cpuUsage()
      const rss = process.memoryUsage.rss()
      const usage: Usage = { cpuUs: user + system, rss, peakRss: Math.max(peakRss, rss) }
      process.send?.(usage)
    }
  }
})
process.on("disconnect", () => process.exit(0))

const listening: Listening = { port: address.port }
process.send?.(listening)
