/**
 * `npm run bench -- idle [flags]`: memory of the server process per WebSocket that follows an idle room. Our gateway
 * performs the whole handshake: key, limits, session, subscription, snapshot. JSON on stdout, progress on stderr.
 */
import { parseArgs } from "node:util"
import { alwaysJson, helpIfAsked } from "../lib/help.ts"
import { describeMachine } from "../lib/machine.ts"
import { type Idle, measureIdle, medianOf } from "./measure.ts"
import { variants } from "./orders.ts"

const usage = `npm run bench -- idle [flags]
  --sockets <n>   default 10000
  --rounds <n>    default 3; the median is reported
  --only <list>   some of raw,ours,ws,socketio; default raw,ours,ws
  --snapshots     writes heap snapshots before and after, in the working directory
${alwaysJson}`
helpIfAsked(usage)

const { values } = parseArgs({
  options: {
    sockets: { type: "string", default: "10000" },
    rounds: { type: "string", default: "3" },
    only: { type: "string", default: "raw,ours,ws" },
    snapshots: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
})
const sockets = Number(values.sockets)
const rounds = Number(values.rounds)
if (!(sockets >= 1 && sockets <= 15_000 && rounds >= 1 && rounds <= 20)) throw new Error("--sockets is 1..15000, --rounds 1..20")
const asked = values.only.split(",")
const measured = variants.filter((name) => asked.includes(name))

const runs = new Map<string, Array<Idle>>(measured.map((name) => [name, []]))
for (let round = 0; round < rounds; round++) {
  for (const name of measured) {
    const run = await measureIdle(name, sockets, values.snapshots)
    process.stderr.write(`${name}: ${JSON.stringify(run)}\n`)
    runs.get(name)?.push(run)
  }
}
const report = {
  bench: "idle",
  machine: await describeMachine(),
  node: process.version,
  sockets,
  rounds,
  bar: { bytesPerSocket: 1_229 },
  servers: Object.fromEntries([...runs].map(([name, all]) => [name, medianOf(all)])),
}
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
