// Owns the comparison "CPU per delivered frame: our gateway against plain uWebSockets.js, ws and socket.io"; flags.ts has its flags.
import { readFlags } from "./flags.ts"
import { reportOf, table } from "./report.ts"
import { takeTurns } from "./takeTurns.ts"

const flags = readFlags(process.argv.slice(2))
const report = reportOf(await takeTurns(flags), flags)
process.stdout.write(`${flags.json ? JSON.stringify(report) : table(report, flags.variants)}\n`)
