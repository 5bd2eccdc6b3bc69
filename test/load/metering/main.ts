// Owns the benchmark of metering: what a hot endpoint costs with metering on against the same server with metering off, for keys with
// large quotas (leases) and small ones (request by request), the ledger in memory, PostgreSQL and the embedded database.
// JSON on stdout, progress on stderr; flags.ts has the flags.
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
  machine: describeMachine(),
  node: process.version,
  bar: 0.95,
  connections: flags.connections,
  comparisons,
}
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
