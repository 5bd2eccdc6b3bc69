/**
 * `npm run bench -- stalled [flags]`: the cost of clients that never read: memory of the server compared with the same
 * clients reading, and the delay of other clients' frames. Every measurement uses a new process. A table on stdout,
 * progress on stderr.
 */
import { parseArgs } from "node:util"
import { calm } from "../lib/calm.ts"
import { helpIfAsked } from "../lib/help.ts"
import { describeMachine } from "../lib/machine.ts"
import { monotonicUs } from "../lib/monotonic.ts"
import { type Cost, type Load, measureCrowd } from "./measure.ts"
import { type Transport, transports } from "./orders.ts"

const usage = `npm run bench -- stalled [flags]
  --transport <list>  websocket,sse; default both, one after the other
  --clients <n>       clients that follow every match; default 1000
  --readers <n>       other clients, which read and are measured; default 50
  --matches <n>       default 10
  --rate <n>          frames per second over all matches, default 20
  --bytes <n>         size of a frame, default 8119
  --seconds <s>       default 60: long enough for a client to be closed after 30 s without reading
  --calm <share>      start each measurement when other processes use less than this share of a core (for example 0.2), or after four minutes
  --json              JSON instead of a table`
helpIfAsked(usage)

const { values } = parseArgs({
  options: {
    transport: { type: "string", default: "websocket,sse" },
    clients: { type: "string", default: "1000" },
    readers: { type: "string", default: "50" },
    matches: { type: "string", default: "10" },
    rate: { type: "string", default: "20" },
    bytes: { type: "string", default: "8119" },
    seconds: { type: "string", default: "60" },
    calm: { type: "string" },
    json: { type: "boolean", default: false },
  },
})

const within = (flag: "clients" | "readers" | "matches" | "rate" | "bytes" | "seconds", least: number, most: number): number => {
  const value = Number(values[flag])
  if (!(value >= least && value <= most)) throw new Error(`--${flag} is ${least} to ${most}, not ${values[flag]}`)
  return value
}

/** Maximum time to wait for a calm machine. */
const PATIENCE_US = 4 * 60 * 1e6

const waitForCalm = async (): Promise<void> => {
  if (values.calm !== undefined) await calm(Number(values.calm), monotonicUs() + PATIENCE_US)
}

const BAR = { costMb: 150, worstMs: 250 }

interface Result extends Load {
  readonly reading: Cost
  readonly stalled: Cost
  /** Peak RSS with clients that never read minus peak RSS with clients that read, MB. */
  readonly costMb: number
}

const measured = async (transport: Transport): Promise<Result> => {
  const load: Load = {
    transport,
    clients: within("clients", 1, 15_000),
    readers: within("readers", 1, 1_000),
    matches: within("matches", 1, 1_000),
    rate: within("rate", 0.1, 10_000),
    bytes: within("bytes", 1_024, 100_000),
    seconds: within("seconds", 1, 600),
  }
  await waitForCalm()
  const reading = await measureCrowd("reading", load)
  process.stderr.write(`${transport}, reading: ${JSON.stringify(reading)}\n`)
  await waitForCalm()
  const stalled = await measureCrowd("stalled", load)
  process.stderr.write(`${transport}, stalled: ${JSON.stringify(stalled)}\n`)
  return { ...load, reading, stalled, costMb: stalled.peakRssMb - reading.peakRssMb }
}

const row = ({ costMb, reading, stalled, transport }: Result): string => {
  const cells = [
    transport,
    `${reading.peakRssMb} MB`,
    `${stalled.peakRssMb} MB`,
    `${costMb} MB`,
    `${reading.worstMs} ms`,
    `${stalled.p99Ms} ms`,
    `${stalled.worstMs} ms`,
    `${Math.max(reading.othersCpuShare, stalled.othersCpuShare)}`,
  ]
  return cells.map((cell) => cell.padEnd(16)).join("")
}

const head = ["", "peak, reading", "peak, stalled", "cost", "worst, reading", "p99, stalled", "worst, stalled", "other processes"]

const asked = values.transport.split(",")
const results: Array<Result> = []
for (const transport of transports) if (asked.includes(transport)) results.push(await measured(transport))
if (results.length === 0) throw new Error("--transport takes websocket and sse")
const report = { bench: "stalled", machine: describeMachine(), node: process.version, bar: BAR, results }
process.stdout.write(
  values.json
    ? `${JSON.stringify(report, null, 2)}\n`
    : `${[head.map((cell) => cell.padEnd(16)).join(""), ...results.map(row), `bar: ${BAR.costMb} MB, ${BAR.worstMs} ms`].join("\n")}\n`,
)
