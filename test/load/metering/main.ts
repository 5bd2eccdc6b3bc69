// Owns the benchmark of metering: the cost of a hot endpoint with metering on, compared with the same server with
// metering off, for keys with large quotas (leases) and small ones (request by request), with the ledger in memory, in
// PostgreSQL and in the embedded database. JSON on stdout, progress on stderr. See flags.ts for the flags.
import { describeMachine } from "../lib/machine.ts"
import { compare } from "./compare.ts"
import { readFlags } from "./flags.ts"

const flags = readFlags(process.argv.slice(2))
const comparisons: Array<object> = []
for (const crowd of flags.crowds) {
  for (const database of flags.databases) {
    comparisons.push(await compare({ crowd, database, meterings: flags.meterings }, flags))
  }
}
const report = {
  bench: "metering",
  machine: await describeMachine(),
  node: process.version,
  bar: 0.95,
  connections: flags.connections,
  comparisons,
}
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
