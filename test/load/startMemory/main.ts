/**
 * `npm run bench -- start-memory [flags]`: resident memory of the real `npm start`, with its simulated matches and its
 * season, on a separate empty folder. Linux only. A table on stdout, progress on stderr.
 */
import { parseArgs } from "node:util"
import { helpIfAsked } from "../lib/help.ts"
import { describeMachine } from "../lib/machine.ts"
import { type Load, measureStart } from "./measure.ts"

const usage = `npm run bench -- start-memory [flags]
  --seconds <s>   default 600; 10 to 86,400
  --every <s>     seconds between two samples; default 5
  --matches <n>   simulated matches; default 4
  --speed <x>     speed of the simulation; default 1, real time
  --json          JSON instead of a table`
helpIfAsked(usage)

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "600" },
    every: { type: "string", default: "5" },
    matches: { type: "string", default: "4" },
    speed: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
  },
})

const within = (flag: keyof Load, least: number, most: number): number => {
  const value = Number(values[flag])
  if (!(value >= least && value <= most)) throw new Error(`--${flag} is ${least} to ${most}, not ${values[flag]}`)
  return value
}

const BAR = { endMb: 500 }

const load: Load = {
  seconds: within("seconds", 10, 86_400),
  every: within("every", 0.1, 60),
  matches: within("matches", 0, 1_000),
  speed: within("speed", 0.01, 1_000),
}
const memory = await measureStart(load, ({ rssMb, second }) => process.stderr.write(`${second} s: ${rssMb} MB\n`))
const report = { bench: "start-memory", machine: await describeMachine(), node: process.version, bar: BAR, ...load, ...memory }
const lines = [
  ...memory.minutes.map(({ rssMb, second }) => `${`${second} s`.padEnd(12)}${rssMb} MB`),
  `peak        ${memory.peakMb} MB`,
  `at the end  ${memory.endMb} MB, the highest of the last minute; bar: ${BAR.endMb} MB`,
]
process.stdout.write(`${values.json ? JSON.stringify(report, null, 2) : lines.join("\n")}\n`)
