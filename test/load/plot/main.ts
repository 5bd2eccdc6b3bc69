/**
 * `npm run bench -- plot <in.json>... <out.svg>`: draws the knee of the fan-out from the output of `bench -- fanout
 * --rate 25,50,... --json`. The series of several files are drawn side by side, named after their shape.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { variants } from "../fanout/orders.ts"
import type { Report } from "../fanout/report.ts"
import { alwaysJson, helpIfAsked } from "../lib/help.ts"
import { kneeSvg, type Series } from "./knee.ts"

const usage = `npm run bench -- plot <in.json>... <out.svg>
${alwaysJson}`
helpIfAsked(usage)

const { positionals } = parseArgs({ options: { json: { type: "boolean", default: false } }, allowPositionals: true })
const inputs = positionals.slice(0, -1)
const output = positionals.at(-1)
if (inputs.length === 0 || output === undefined || !output.endsWith(".svg")) throw new Error(usage)

const seriesOf = (reports: ReadonlyArray<Report>): ReadonlyArray<Series> =>
  variants.flatMap((name) => {
    const points = reports.flatMap((report) => {
      const numbers = report[name]
      if (numbers === undefined) return []
      const { rate, sockets } = report.parameters
      return [{ offered: rate * sockets, delivered: numbers.deliveredPerSecond, p99Ms: numbers.p99Ms }]
    })
    const shape = reports[0]?.parameters.payload.shape
    return points.length === 0 ? [] : [{ name: shape === "v2" ? `${name} (v2)` : name, points }]
  })

const sweeps = inputs.map((path): ReadonlyArray<Report> => JSON.parse(readFileSync(path, "utf8")))
const [first] = sweeps[0] ?? []
const bytes = [...new Set(sweeps.map(([report]) => report?.parameters.frameBytes))].join(" and ")
const title = `${first?.parameters.sockets} sockets, frames of ${bytes} bytes, ${first?.machine}`
writeFileSync(output, kneeSvg(title, sweeps.flatMap(seriesOf)))
process.stdout.write(`${JSON.stringify({ plot: output, series: sweeps.flatMap(seriesOf).map(({ name }) => name) })}\n`)
