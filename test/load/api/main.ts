// Owns the benchmark of the archive's API: requests per second and latencies of every class of endpoints over the whole
// database, of a mix of the classes, and of the same SQL on plain servers. Prints tables or JSON to stdout, progress to
// stderr. See flags.ts for the flags.
import { receive, start, stop } from "../lib/child.ts"
import { describeMachine } from "../lib/machine.ts"
import { mixedPool, poolOf } from "./addresses.ts"
import { classes } from "./classes.ts"
import { compareWithPeers, type Peer } from "./compareWithPeers.ts"
import { fullDatabase } from "./database.ts"
import { readFlags } from "./flags.ts"
import { type Measured, measure } from "./measure.ts"
import type { Listening } from "./orders.ts"
import { ourServer, statementsOf } from "./ourServer.ts"
import { type ClassReport, complaints, type Report, tables } from "./report.ts"

const START_MS = 120_000

const flags = readFlags(process.argv.slice(2))
const database = await fullDatabase(flags)
const generator = start(new URL("generator.ts", import.meta.url))
const child = ourServer(database, flags)
const measured: Array<ClassReport> = []
const peers: Record<string, ReadonlyArray<Peer>> = {}
let mixed: Measured | null = null
try {
  const { samples, ...listening } = await receive<Listening>(child, START_MS)
  const ours = { child, ...listening }
  for (const one of classes.filter(({ name }) => flags.classes.includes(name))) {
    const { addresses, unasked } = poolOf(one, samples, flags.seed, flags.addresses)
    if (addresses.length === 0) {
      process.stderr.write(`${one.name} not requested: ${unasked.join(", ")}\n`)
      continue
    }
    const result = await measure(ours, generator, addresses, flags, one.conditional)
    measured.push({ name: one.name, unasked, ...result })
    process.stderr.write(`${one.name} ${result.requestsPerSecond}/s, p99 ${result.p99Ms} ms, failed ${result.failed}\n`)
  }
  if (flags.mixed) mixed = await measure(ours, generator, mixedPool(classes, samples, flags.seed, flags.addresses * 10), flags)
  for (const name of database.url === null ? [] : flags.peers) {
    const one = classes.find((known) => known.name === name)
    if (one === undefined || database.url === null) continue
    const { addresses } = poolOf(one, samples, flags.seed, flags.addresses)
    const statements = await statementsOf(addresses, database, flags)
    peers[name] = await compareWithPeers(
      ours,
      generator,
      addresses,
      statements,
      { databaseUrl: database.url, maxConnections: flags.pool ?? 10 },
      flags,
    )
  }
} finally {
  await Promise.all([stop(child), stop(generator)])
}

const report: Report = {
  bench: "api",
  machine: await describeMachine(),
  node: process.version,
  database: database.url === null ? "embedded" : "postgres",
  connections: flags.connections,
  metering: flags.metering,
  kept: flags.kept,
  bar: flags.bar ?? null,
  classes: measured,
  mixed,
  peers,
}
process.stdout.write(`${flags.json ? JSON.stringify(report, null, 2) : tables(report)}\n`)
if (flags.json) for (const complaint of complaints(report)) process.stderr.write(`FAILED ${complaint}\n`)
process.exitCode = complaints(report).length > 0 ? 1 : 0
