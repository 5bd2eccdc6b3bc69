/**
 * `npm run bench -- stalled [flags]`: the cost of clients that follow all matches and never read: memory of the server,
 * and the delay of the frames of a client that reads, compared with the same client alone. Every measurement uses a new
 * process. A table on stdout, progress on stderr.
 */
import { parseArgs } from "node:util"
import { calm } from "../lib/calm.ts"
import { helpIfAsked } from "../lib/help.ts"
import { describeMachine } from "../lib/machine.ts"
import { monotonicUs } from "../lib/monotonic.ts"
import { type Cost, type Load, measureCrowd } from "./measure.ts"
import { type Transport, transports } from "./orders.ts"

const usage = `npm run bench -- stalled [flags]
  --transport <list>  transport of the clients that never read: websocket,sse; default websocket
  --clients <n>       clients that follow every match in shape v1 and never read; default 1000
  --ramp <n>          clients that connect per second, while frames are sent; default 100
  --readers <n>       SSE clients that read and are measured; default 1
  --matches <n>       default 8
  --rate <n>          frames per second over all matches, default 62
  --bytes <n>         size of a frame, default 8119
  --seconds <s>       default 60: long enough for a client to be closed after 30 s without reading
  --calm <share>      start each measurement when other processes use less than this share of a core (for example 0.2), or after four minutes
  --json              JSON instead of a table`
helpIfAsked(usage)

const { values } = parseArgs({
  options: {
    transport: { type: "string", default: "websocket" },
    clients: { type: "string", default: "1000" },
    ramp: { type: "string", default: "100" },
    readers: { type: "string", default: "1" },
    matches: { type: "string", default: "8" },
    rate: { type: "string", default: "62" },
    bytes: { type: "string", default: "8119" },
    seconds: { type: "string", default: "60" },
    calm: { type: "string" },
    json: { type: "boolean", default: false },
  },
})

const within = (flag: "clients" | "ramp" | "readers" | "matches" | "rate" | "bytes" | "seconds", least: number, most: number): number => {
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
  /** The readers alone. */
  readonly alone: Cost
  readonly stalled: Cost
  /** Peak RSS with clients that never read minus peak RSS without them, MB. */
  readonly costMb: number
}

const measured = async (transport: Transport): Promise<Result> => {
  const load: Load = {
    transport,
    clients: within("clients", 1, 15_000),
    ramp: within("ramp", 1, 1_000),
    readers: within("readers", 1, 1_000),
    matches: within("matches", 1, 1_000),
    rate: within("rate", 0.1, 10_000),
    bytes: within("bytes", 1_024, 100_000),
    seconds: within("seconds", 1, 600),
  }
  await waitForCalm()
  const alone = await measureCrowd({ ...load, clients: 0 })
  process.stderr.write(`${transport}, alone: ${JSON.stringify(alone)}\n`)
  await waitForCalm()
  const stalled = await measureCrowd(load)
  process.stderr.write(`${transport}, stalled: ${JSON.stringify(stalled)}\n`)
  return { ...load, alone, stalled, costMb: stalled.peakRssMb - alone.peakRssMb }
}

const cells = (texts: ReadonlyArray<string>): string => texts.map((text) => text.padEnd(16)).join("")

const row = ({ alone, costMb, stalled, transport }: Result): string =>
  cells([
    transport,
    `${alone.peakRssMb} MB`,
    `${stalled.peakRssMb} MB`,
    `${costMb} MB`,
    `${alone.p99Ms} ms`,
    `${stalled.p99Ms} ms`,
    `${stalled.worstMs} ms`,
    `${stalled.longestBlockMs} ms`,
    `${Math.max(alone.othersCpuShare, stalled.othersCpuShare)}`,
  ])

const memoryHeads = ["peak, alone", "peak, stalled", "cost"]
const head = ["", ...memoryHeads, "p99, alone", "p99, stalled", "worst, stalled", "longest block", "other processes"]

const asked = values.transport.split(",")
const results: Array<Result> = []
for (const transport of transports) if (asked.includes(transport)) results.push(await measured(transport))
if (results.length === 0) throw new Error("--transport takes websocket and sse")
const report = { bench: "stalled", machine: await describeMachine(), node: process.version, bar: BAR, results }
process.stdout.write(
  values.json
    ? `${JSON.stringify(report, null, 2)}\n`
    : `${[cells(head), ...results.map(row), `bar: cost ${BAR.costMb} MB, worst delay ${BAR.worstMs} ms`].join("\n")}\n`,
)
