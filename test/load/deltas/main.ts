// Owns the benchmark of deltas: bytes per frame of real matches, full and as deltas, compressed and not. `npm run bench
// -- deltas [--data <directory>] [--fields]`, JSON on stdout. The data directory is ../shared/data or MATCHPOINT_DATA.
import { resolve } from "node:path"
import { parseArgs } from "node:util"
import { alwaysJson, helpIfAsked } from "../lib/help.ts"
import { describeMachine } from "../lib/machine.ts"
import { rounded } from "../lib/statistics.ts"
import { type Bytes, measure } from "./measure.ts"
import { factsOf, realMatches } from "./realMatches.ts"

/** The bar: bytes of deltas divided by bytes of full frames. */
const BAR = 0.15
/** The bar: bytes in LIVE per change, including keyframes. */
const RECORD_BAR = 1_000

const usage = `npm run bench -- deltas [flags]
  --data <folder>      recorded data, default MATCHPOINT_DATA, else ../shared/data
  --fields             also the bytes per field
${alwaysJson}`
helpIfAsked(usage)

const { values } = parseArgs({
  options: { data: { type: "string" }, fields: { type: "boolean" }, json: { type: "boolean", default: false } },
})
const data = resolve(values.data ?? process.env.MATCHPOINT_DATA ?? "../shared/data")

const forms = ["full", "fullDeflated", "fullDeflatedTakeover", "compactFull", "delta", "deltaDeflatedTakeover", "record"] as const

/** Averages per frame, and shares of the full frames. */
const shown = (frames: number, bytes: Bytes) => ({
  frames,
  bytesPerFrame: Object.fromEntries(forms.map((form) => [form, Math.round(bytes[form] / frames)])),
  shareOfFull: Object.fromEntries(forms.map((form) => [form, rounded(bytes[form] / bytes.full, 4)])),
})

const matches = []
const all = { frames: 0, full: 0, fullDeflated: 0, fullDeflatedTakeover: 0, compactFull: 0, delta: 0, deltaDeflatedTakeover: 0, record: 0 }
let deflateUs = 0
const fields = new Map<string, number>()
for (const path of realMatches(data)) {
  const measured = await measure(factsOf(data, path))
  matches.push({ path, ...shown(measured.frames, measured) })
  all.frames += measured.frames
  deflateUs += measured.deflateUs
  for (const form of forms) all[form] += measured[form]
  for (const [field, bytes] of measured.patches) fields.set(field, (fields.get(field) ?? 0) + bytes)
}

const largest = [...fields].sort(([, a], [, b]) => b - a).slice(0, 30)
const report = {
  bench: "deltas",
  machine: await describeMachine(),
  ...shown(all.frames, all),
  deflateUsPerFullFrame: Math.round(deflateUs / all.frames),
  bar: BAR,
  recordBar: RECORD_BAR,
  met: all.delta / all.full <= BAR && all.record / all.frames <= RECORD_BAR,
  ...(values.fields === true ? { patchBytesPerFrame: Object.fromEntries(largest.map(([k, n]) => [k, rounded(n / all.frames, 1)])) } : {}),
  matches,
}
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
