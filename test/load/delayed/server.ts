// Owns the server process of the measurement: `node server.ts <frames per second> <matches> <delay in seconds>`. The
// gateway as it runs in production, on a log in files, so that the log's records do not count as its memory.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { EventLog } from "@matchpoint/bus/EventLog"
import * as EventLogFile from "@matchpoint/bus/EventLogFile"
import { liveMessageId, liveSubject, streams } from "@matchpoint/contracts/bus/subjects"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { UwsServer } from "@matchpoint/uws/UwsServer"
import { Context, Effect, Layer, ManagedRuntime } from "effect"
import { changesOf } from "../fanout/changes.ts"
import { gatewayOn } from "../lib/liveGateway.ts"
import { monotonicUs } from "../lib/monotonic.ts"

export interface Listening {
  readonly port: number
}

export type Order = { readonly kind: "publish" } | { readonly kind: "stop" } | { readonly kind: "memory" }

export interface Published {
  /** The newest seq of each match, by match number minus one. */
  readonly seqs: ReadonlyArray<number>
}

export interface Memory {
  readonly rss: number
}

/** Size of real deltas, bytes. */
const BYTES = 532

const [, , rate, matchCount, delaySeconds] = process.argv.map(Number)
const directory = mkdtempSync(join(tmpdir(), "matchpoint-delayed-"))
process.on("exit", () => rmSync(directory, { recursive: true, force: true }))
const context = await ManagedRuntime.make(
  gatewayOn(0, "free", { delaySeconds: delaySeconds ?? 60 }).pipe(
    Layer.provideMerge(EventLogFile.layer({ directory, streams }).pipe(Layer.orDie)),
  ),
).context()
const { address } = Context.get(context, UwsServer)
const log = Context.get(context, EventLog)

const matches = Array.from({ length: matchCount ?? 1 }, (_, index) =>
  changesOf({ kind: "frames", shape: "v2", bytes: BYTES }, matchId(index + 1)),
)
const seqs = matches.map(() => 0)
let published = 0

const publish = (): Promise<unknown> => {
  const index = published++ % matches.length
  const seq = (seqs[index] ?? 0) + 1
  seqs[index] = seq
  const change = matches[index]?.make(seq)
  if (change === undefined) return Promise.resolve()
  return Effect.runPromise(log.append(liveSubject(change.matchId), liveMessageId(change.matchId, change.epoch, seq), change.record()))
}

// Publishes a first frame of each match before the client connects.
await Promise.all(matches.map(publish))

let timer: NodeJS.Timeout | undefined
let waiting: Promise<unknown> = Promise.resolve()

const start = (): void => {
  const began = monotonicUs()
  const before = published
  timer = setInterval(() => {
    const due = before + Math.floor(((monotonicUs() - began) * (rate ?? 0)) / 1e6)
    while (published < due) waiting = publish()
  }, 5)
}

process.on("message", async (order: Order) => {
  switch (order.kind) {
    case "publish":
      start()
      process.send?.({})
      break
    case "stop": {
      clearInterval(timer)
      await waiting
      const stopped: Published = { seqs }
      process.send?.(stopped)
      break
    }
    case "memory": {
      const memory: Memory = { rss: process.memoryUsage.rss() }
      process.send?.(memory)
    }
  }
})
process.on("disconnect", () => process.exit(0))

const listening: Listening = { port: address.port }
process.send?.(listening)
