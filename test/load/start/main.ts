/**
 * `npm run bench -- start [flags]`: time and CPU of the real `npm start` until its answers are complete, on an empty folder and on
 * that of the start before, and how long requests take meanwhile. Linux only. A table on stdout, progress on stderr.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { helpIfAsked } from "../lib/help.ts"
import { describeMachine } from "../lib/machine.ts"
import { measureStartOnce, type Start } from "./measure.ts"

const usage = `npm run bench -- start [flags]
  --rounds <n>    starts on an empty folder and again on the same; default 3; 1 to 20
  --requests <s>  seconds in which requests are sent after the first response; default 60; 1 to 600
  --json          JSON instead of a table`
helpIfAsked(usage)

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    requests: { type: "string", default: "60" },
    json: { type: "boolean", default: false },
  },
})
const rounds = Number(values.rounds)
const requestsFor = Number(values.requests)
if (!(Number.isInteger(rounds) && rounds >= 1 && rounds <= 20)) throw new Error(`--rounds is 1 to 20, not ${values.rounds}`)
if (!(requestsFor >= 1 && requestsFor <= 600)) throw new Error(`--requests is 1 to 600, not ${values.requests}`)

const BAR = { warmCompleteCpu: 4, emptyCompleteWithin: 25, requestsP99: 50 }
const starts: Array<Start & { readonly kind: "empty" | "warm" }> = []
for (let round = 0; round < rounds; round++) {
  const folder = mkdtempSync(join(tmpdir(), "matchpoint-start-"))
  try {
    for (const kind of ["empty", "warm"] as const) {
      const start = { kind, ...(await measureStartOnce(requestsFor, folder)) }
      process.stderr.write(`${JSON.stringify(start)}\n`)
      starts.push(start)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
const report = { bench: "start", machine: await describeMachine(), node: process.version, bar: BAR, requestsFor, starts }
const lines = [
  "folder  first answer  complete  CPU live  CPU complete  requests p50  p99  worst  memory",
  ...starts.map(
    ({ complete, completeCpu, firstAnswer, kind, liveCpu, requests: { p50, p99, worst }, rssMb }) =>
      `${kind}  ${firstAnswer} s  ${complete} s  ${liveCpu} s  ${completeCpu} s  ${p50} ms  ${p99} ms  ${worst} ms  ${rssMb} MB`,
  ),
]
process.stdout.write(`${values.json ? JSON.stringify(report, null, 2) : lines.join("\n")}\n`)
