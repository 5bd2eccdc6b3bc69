/**
 * `npm run bench -- qr [flags]`: PNGs per second and core, with and without reading each image back, against
 * `qrcode.toBuffer` and against PNGs by sharp. The drawing runs in this thread, as it does in a thread of the server.
 */
import { parseArgs } from "node:util"
import { helpIfAsked } from "../lib/help.ts"
import { describeMachine } from "../lib/machine.ts"
import { median, rounded } from "../lib/statistics.ts"
import { measure } from "./measure.ts"
import { type VariantName, variants } from "./variants.ts"

const usage = `npm run bench -- qr [flags]
  --size <px>      default 300; 100 to 2,000
  --length <n>     characters of each text, a URL; default 40; 20 to 2,000
  --rounds <n>     rounds of all variants in alternating order; default 5
  --seconds <s>    length of a variant's turn; default 2
  --json           JSON instead of a table`
helpIfAsked(usage)

const { values } = parseArgs({
  options: {
    size: { type: "string", default: "300" },
    length: { type: "string", default: "40" },
    rounds: { type: "string", default: "5" },
    seconds: { type: "string", default: "2" },
    json: { type: "boolean", default: false },
  },
})

const within = (flag: "size" | "length" | "rounds" | "seconds", least: number, most: number): number => {
  const value = Number(values[flag])
  if (!(value >= least && value <= most)) throw new Error(`--${flag} is ${least} to ${most}, not ${values[flag]}`)
  return value
}

/** Images per second and core. */
const BAR = 300

const load = {
  size: within("size", 100, 2_000),
  length: within("length", 20, 2_000),
  rounds: within("rounds", 1, 100),
  seconds: within("seconds", 0.1, 60),
}

const names = Object.keys(variants) as ReadonlyArray<VariantName>
const turns = new Map<VariantName, Array<Awaited<ReturnType<typeof measure>>>>(names.map((name) => [name, []]))
for (const name of names) await measure(variants[name], load, load.seconds / 2)
for (let round = 0; round < load.rounds; round++) {
  for (const name of round % 2 === 0 ? names : names.toReversed()) {
    const turn = await measure(variants[name], load, load.seconds)
    turns.get(name)?.push(turn)
    process.stderr.write(`round ${round + 1}: ${name} ${turn.cpuMs.toFixed(2)} ms of CPU per image\n`)
  }
}

const results = names.map((name) => {
  const all = turns.get(name) ?? []
  const cpu = all.map(({ cpuMs }) => cpuMs)
  const middle = median(cpu)
  return {
    name,
    perSecondAndCore: rounded(1_000 / middle, 0),
    cpuMs: rounded(middle, 3),
    range: [rounded(Math.min(...cpu), 3), rounded(Math.max(...cpu), 3)],
    bytes: rounded(median(all.map(({ bytes }) => bytes)), 0),
  }
})
const cpuMsOf = (wanted: VariantName): number => results.find(({ name }) => name === wanted)?.cpuMs ?? Number.NaN
const report = {
  bench: "qr",
  machine: await describeMachine(),
  node: process.version,
  bar: BAR,
  ...load,
  results,
  checkMs: rounded(cpuMsOf("checked") - cpuMsOf("unchecked"), 3),
}
const lines = [
  ...results.map(
    ({ bytes, cpuMs, name, perSecondAndCore, range }) =>
      `${name.padEnd(12)}${`${perSecondAndCore}/s and core`.padEnd(20)}${cpuMs} ms of CPU (${range.join(" to ")}), ${bytes} bytes`,
  ),
  `reading back  ${report.checkMs} ms; bar: ${BAR}/s and core, checked`,
]
process.stdout.write(`${values.json ? JSON.stringify(report, null, 2) : lines.join("\n")}\n`)
