/** `npm run bench -- yardstick [flags]`: CPU of a fixed workload that never changes, to compare machines with each other. */
import { parseArgs } from "node:util"
import { helpIfAsked } from "../lib/help.ts"
import { machineName } from "../lib/machine.ts"
import { rounded } from "../lib/statistics.ts"
import { measureYardstick } from "./measure.ts"

const usage = `npm run bench -- yardstick [flags]
  --turns <n>   turns of all parts, after three that do not count; default 7; 1 to 100
  --json        JSON instead of a table`
helpIfAsked(usage)

const { values } = parseArgs({ options: { turns: { type: "string", default: "7" }, json: { type: "boolean", default: false } } })
const turns = Number(values.turns)
if (!(Number.isInteger(turns) && turns >= 1 && turns <= 100)) throw new Error(`--turns is 1 to 100, not ${values.turns}`)

const { cpu, factor, range } = await measureYardstick(turns)
const parts = Object.entries(cpu).map(([part, value]) => {
  const [lowest, highest] = range[part as keyof typeof cpu]
  return { part, cpuUs: rounded(value, 3), range: [rounded(lowest, 3), rounded(highest, 3)] }
})
const report = { bench: "yardstick", machine: machineName(), node: process.version, turns, factor: rounded(factor, 2), parts }
const lines = [
  `${report.factor} times the CPU of the machine of 24 November 2026`,
  ...parts.map(({ cpuUs, part, range }) => `${part.padEnd(8)} ${cpuUs} us (${range.join(" to ")})`),
]
process.stdout.write(`${values.json ? JSON.stringify(report, null, 2) : lines.join("\n")}\n`)
