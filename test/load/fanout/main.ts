// Owns the comparison "CPU per delivered frame: our gateway against plain uWebSockets.js, ws and socket.io" (see flags.ts for how to
// start it). All servers and their crowds are up from the start.
import { type Flags, readFlags } from "./flags.ts"
import { Measured } from "./Measured.ts"
import { type Report, reportOf, table } from "./report.ts"
import { takeTurns } from "./takeTurns.ts"

const compare = async (flags: Flags): Promise<Report> => {
  const running: Array<Measured> = []
  try {
    for (const name of flags.variants) running.push(await Measured.start(name, flags.load, flags.execArgv))
    const turns = await takeTurns(running, flags.rounds, flags.calmShare)
    return reportOf(turns, flags.baseline, flags.load, running[0]?.updateBytes ?? flags.load.bytes)
  } finally {
    await Promise.all(running.map((measured) => measured.stop()))
  }
}

const flags = readFlags(process.argv.slice(2))
const report = await compare(flags)
process.stdout.write(`${flags.json ? JSON.stringify(report) : table(report, flags.variants)}\n`)
