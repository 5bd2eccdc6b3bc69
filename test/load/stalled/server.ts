// Owns the server process of the measurement: `node server.ts <matches> <bytes of a frame>`. The gateway as it runs in
// production on a log in memory, with matches that continue whether or not clients read.
import { monitorEventLoopDelay } from "node:perf_hooks"
import { EventLog } from "@matchpoint/bus/EventLog"
import { liveMessageId, liveSubject } from "@matchpoint/contracts/bus/subjects"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Context, Effect, Layer, ManagedRuntime } from "effect"
import { changesOf } from "../fanout/changes.ts"
import { publishAtRate } from "../fanout/publishAtRate.ts"
import { gatewayOn, MemoryLog } from "../lib/liveGateway.ts"
import type { Listening, Memory, Ran, ServerOrder } from "./orders.ts"

const LOOK_EVERY_MS = 20

const [, , matchCount, bytes] = process.argv
const context = await ManagedRuntime.make(gatewayOn(0).pipe(Layer.provideMerge(MemoryLog))).context()
const { address } = Context.get(context, UwsServer)
const log = Context.get(context, EventLog)

const matches = Array.from({ length: Number(matchCount) }, (_, index) =>
  changesOf({ kind: "frames", shape: "v1", bytes: Number(bytes) }, matchId(index + 1)),
)
let count = 0

const publish = (): void => {
  const seq = Math.floor(count / matches.length) + 1
  const change = matches[count++ % matches.length]?.make(seq)
  if (change === undefined) return
  Effect.runSync(log.append(liveSubject(change.matchId), liveMessageId(change.matchId, change.epoch, seq), change.record()))
}

// A match has a newest frame before clients can follow it.
for (let n = 0; n < matches.length; n++) publish()

let peakRss = 0
setInterval(() => {
  peakRss = Math.max(peakRss, process.memoryUsage.rss())
}, LOOK_EVERY_MS).unref()

const memory = (): Memory => {
  const rss = process.memoryUsage.rss()
  const peak = Math.max(peakRss, rss)
  peakRss = 0
  return { rss, peakRss: peak }
}

const run = async (rate: number, seconds: number): Promise<Ran> => {
  const delays = monitorEventLoopDelay({ resolution: 5 })
  delays.enable()
  const before = process.cpuUsage()
  const published = await publishAtRate(rate, seconds, publish)
  const { system, user } = process.cpuUsage(before)
  delays.disable()
  return { published, cpuUs: user + system, longestBlockMs: delays.max / 1e6, ...memory() }
}

process.on("message", async (order: ServerOrder) => {
  process.send?.(order.kind === "run" ? await run(order.rate, order.seconds) : memory())
})
process.on("disconnect", () => process.exit(0))

const listening: Listening = { port: address.port, frameBytes: Math.min(...matches.map(({ frameBytes }) => frameBytes)) }
process.send?.(listening)
