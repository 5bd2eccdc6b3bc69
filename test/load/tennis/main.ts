// Owns the benchmark of tennis: the speed of the import into PostgreSQL and the embedded database, and the latencies of
// every class of endpoints with the response cache off and on. Prints tables or JSON to stdout, progress to stderr. See
// flags.ts for the flags. Exits with 1 if a request failed.
import { describeMachine } from "../lib/machine.ts"
import { measureEndpoints } from "./endpoints.ts"
import { readFlags } from "./flags.ts"
import { withImports } from "./imports.ts"
import { failures, type Report, tables } from "./report.ts"

const flags = readFlags(process.argv.slice(2))

const reportOf = async (imports: Report["imports"], url: string | undefined): Promise<Report> => ({
  bench: "tennis",
  machine: await describeMachine(),
  node: process.version,
  connections: flags.connections,
  imports,
  classes: url === undefined ? [] : await measureEndpoints(url, flags),
})

const report = flags.imports
  ? await withImports(flags, ({ embedded, postgres, url }) => reportOf({ postgres, embedded }, flags.database ?? url))
  : await reportOf(null, flags.database)

process.stdout.write(`${flags.json ? JSON.stringify(report, null, 2) : tables(report)}\n`)
if (failures(report).length > 0) process.exitCode = 1
