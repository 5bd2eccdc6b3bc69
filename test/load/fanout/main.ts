// Owns the comparison "CPU per delivered frame: our gateway against plain uWebSockets.js, ws and socket.io". See
// flags.ts for the flags.
import { readFlags } from "./flags.ts"
import { type Report, reportOf, table } from "./report.ts"
import { takeTurns } from "./takeTurns.ts"

const flags = readFlags(process.argv.slice(2))
const reports: Array<Report> = []
for (const load of flags.loads) reports.push(await reportOf(await takeTurns(flags, load), flags, load))
const [first, ...more] = reports
const text = flags.json
  ? JSON.stringify(more.length === 0 ? first : reports)
  : reports.map((one) => table(one, flags.variants)).join("\n\n")
process.stdout.write(`${text}\n`)
