/**
 * `npm run bench -- resume [flags]`: the time until many disconnected clients have caught up, and whether every client
 * received every frame exactly once. JSON on stdout, progress on stderr.
 */
import { parseArgs } from "node:util"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import { alwaysJson, helpIfAsked } from "../lib/help.ts"
import { describeMachine } from "../lib/machine.ts"
import { measureResume, type Plan } from "./measure.ts"
import type { Room } from "./orders.ts"

const usage = `npm run bench -- resume [flags]
  --clients <n>   default 10000
  --matches <n>   default 10; each client follows one of them, or all with --room all
  --room <list>   match,all; default both, one after the other
  --shape <list>  v1,v2; default both, half of the clients each
  --rate <n>      frames per second over all matches, default 20; 5 in the room of all matches
  --bytes <n>     size of a document, default 8119; deltas have 532
  --away <s>      how long all clients are disconnected, default 3
  --at-once <n>   maximum concurrent handshakes when all reconnect; default all
${alwaysJson}`
helpIfAsked(usage)

const { values } = parseArgs({
  options: {
    clients: { type: "string", default: "10000" },
    matches: { type: "string", default: "10" },
    room: { type: "string", default: "match,all" },
    shape: { type: "string", default: "v1,v2" },
    rate: { type: "string" },
    bytes: { type: "string", default: "8119" },
    away: { type: "string", default: "3" },
    "at-once": { type: "string" },
    json: { type: "boolean", default: false },
  },
})

const within = (flag: string, text: string, least: number, most: number): number => {
  const value = Number(text)
  if (!(value >= least && value <= most)) throw new Error(`--${flag} is ${least} to ${most}, not ${text}`)
  return value
}

const clients = within("clients", values.clients, 1, 15_000)
const isRoom = (name: string): name is Room => name === "match" || name === "all"
const isShape = (name: string): name is Shape => name === "v1" || name === "v2"
const rooms = values.room.split(",").filter(isRoom)
const shapes = values.shape.split(",").filter(isShape)
if (rooms.length === 0 || shapes.length === 0) throw new Error("--room takes match and all, --shape v1 and v2")

const results: Array<object> = []
for (const room of rooms) {
  const plan: Plan = {
    clients,
    matches: within("matches", values.matches, 1, 1_000),
    room,
    shapes,
    rate: within("rate", values.rate ?? (room === "all" ? "5" : "20"), 0.1, 10_000),
    bytes: within("bytes", values.bytes, 1_024, 100_000),
    awaySeconds: within("away", values.away, 0.1, 60),
    atOnce: within("at-once", values["at-once"] ?? String(clients), 1, clients),
  }
  const result = await measureResume(plan)
  process.stderr.write(`${room}: ${JSON.stringify(result)}\n`)
  results.push({ ...plan, ...result })
}
process.stdout.write(`${JSON.stringify({ bench: "resume", machine: await describeMachine(), node: process.version, results }, null, 2)}\n`)
