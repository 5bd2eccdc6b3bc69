// Owns the benchmark of the delayed tier: one client of a delayed plan follows every match while many changes per
// second are published. It must receive all of them, in order, none early. `npm run bench -- delayed [flags]`, JSON on
// stdout.
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"
import { apiKey } from "../lib/apiKey.ts"
import { ask, receive, start, stop } from "../lib/child.ts"
import { alwaysJson, helpIfAsked } from "../lib/help.ts"
import { describeMachine } from "../lib/machine.ts"
import { type Follower, followAll } from "./follower.ts"
import type { Listening, Memory, Order, Published } from "./server.ts"

const usage = `npm run bench -- delayed [flags]
  --rate <n>      changes per second over all matches, default 3000
  --seconds <n>   how long changes are published, default 60, at most 600; the acceptance run is 300
  --delay <n>     delay of the plan in seconds, default 60
  --matches <n>   default 50
${alwaysJson}`
helpIfAsked(usage)

const { values } = parseArgs({
  options: {
    rate: { type: "string", default: "3000" },
    seconds: { type: "string", default: "60" },
    delay: { type: "string", default: "60" },
    matches: { type: "string", default: "50" },
    json: { type: "boolean" },
  },
})
const rate = Number(values.rate)
const seconds = Math.min(600, Number(values.seconds))
const delay = Number(values.delay)

/** Time in which the remaining changes must arrive once they are old enough. */
const PATIENCE_SECONDS = 30

const mb = (bytes: number): number => Math.round(bytes / 2 ** 20)

const server = start(new URL("server.ts", import.meta.url), [values.rate, values.matches, values.delay])
const { port } = await receive<Listening>(server, 60_000)
const memory = () => ask<Order, Memory>(server, { kind: "memory" }, 10_000)
const rss: Array<number> = []
const sample = async () => {
  rss.push(mb((await memory()).rss))
}

await sleep(delay * 1_000 + 500)
const follower: Follower = await followAll(`ws://127.0.0.1:${port}/api/v1/cs2/live/ws?apiKey=${apiKey}&shape=v2`)
await ask<Order, object>(server, { kind: "publish" }, 10_000)
const STEPS = 10
for (let step = 0; step < STEPS; step++) {
  await sleep((seconds * 1_000) / STEPS)
  await sample()
}
const { seqs } = await ask<Order, Published>(server, { kind: "stop" }, 60_000)
const hasArrived = () => seqs.every((seq, index) => follower.seqOf(`cs2-match-${index + 1}`) >= seq)
for (let waited = 0; waited < delay + PATIENCE_SECONDS && !hasArrived(); waited++) {
  await sleep(1_000)
  if (waited % 10 === 0) await sample()
}
const published = seqs.reduce((sum, seq) => sum + seq - 1, 0)
const report = {
  bench: "delayed",
  machine: await describeMachine(),
  node: process.version,
  rate,
  seconds,
  delaySeconds: delay,
  matches: seqs.length,
  published,
  received: follower.frames,
  /** Seqs that the client did not receive, or received out of order. */
  missing: published - follower.inOrder,
  gaps: follower.gaps,
  /**
   * Minimum age of a frame at its arrival, ms. The log and the client use the same clock. Must not be below the delay.
   */
  youngestMs: Math.round(follower.youngestMs),
  /** RSS of the server during the run. */
  rssMb: rss,
  met: follower.inOrder === published && follower.gaps === 0 && follower.youngestMs >= delay * 1_000,
}
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
follower.close()
await stop(server)
