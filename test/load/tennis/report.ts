// Owns the report of a run as tables, and its bars.
import type { Measured } from "../api/measure.ts"
import type { ClassResult } from "./endpoints.ts"
import type { ImportSpeed } from "./importSpeed.ts"

/** Import into PostgreSQL: at least this many match rows per second. Endpoints: p99 at most this many milliseconds. */
const bars = { matchRowsPerSecond: 50_000, cacheOffP99Ms: 50, cacheOnP99Ms: 10 }

export interface Report {
  readonly bench: "tennis"
  readonly machine: string
  readonly node: string
  readonly connections: number
  /** Null: not measured. */
  readonly imports: { readonly postgres: ImportSpeed; readonly embedded: ImportSpeed | null } | null
  readonly classes: ReadonlyArray<ClassResult>
}

/** Returns the failed requests of each class. */
export const failures = ({ classes }: Report): ReadonlyArray<string> =>
  classes.flatMap(({ cacheOff, cacheOn, name }) =>
    [cacheOff, cacheOn].flatMap(({ failed, failures: shown }) =>
      failed === 0 ? [] : [`${name}: ${failed} failed, ${shown.map(({ body, path, status }) => `${status} ${path} ${body}`).join("\n  ")}`],
    ),
  )

export const tables = (report: Report): string => {
  const { classes, connections, imports, machine, node } = report
  return [
    `tennis, ${machine}, node ${node}`,
    ...(imports === null ? [] : ["", ...importTable("PostgreSQL", imports.postgres)]),
    ...(imports?.embedded ? ["", ...importTable("PGlite", imports.embedded)] : []),
    ...(imports === null ? [] : [`bar: ${bars.matchRowsPerSecond.toLocaleString("en")} match rows/s into PostgreSQL`]),
    "",
    ...(classes.length === 0 ? [] : classTable(classes, connections)),
    ...failures(report).map((failure) => `FAILED ${failure}`),
  ].join("\n")
}

const importTable = (database: string, { derivationSeconds, sources }: ImportSpeed): ReadonlyArray<string> => [
  row(`import into ${database}`, ["rows", "rejected", "seconds", "rows/s"]),
  ...sources.map(({ rejected, rows, rowsPerSecond, seconds, source }) =>
    row(source, [rows, rejected, seconds.toFixed(1), rowsPerSecond.toLocaleString("en")]),
  ),
  row("indexes, summaries", ["", "", derivationSeconds.toFixed(1)]),
]

const classTable = (classes: ReadonlyArray<ClassResult>, connections: number): ReadonlyArray<string> => [
  `${connections} connections, response cache off, then on; latencies in ms; others: cores that other processes used; bars for p99: ${bars.cacheOffP99Ms} and ${bars.cacheOnP99Ms}`,
  row("", ["req/s", "p50", "p99", "alone p50", "server ms", "db ms", "others", "req/s", "p50", "p99", "others", "above bar"]),
  ...classes.map(({ cacheOff, cacheOn, name }) => {
    const above = [...(cacheOff.p99Ms > bars.cacheOffP99Ms ? ["off"] : []), ...(cacheOn.p99Ms > bars.cacheOnP99Ms ? ["on"] : [])]
    return row(name, [
      ...speedOf(cacheOff),
      cacheOff.alone.p50Ms,
      cacheOff.serverMs,
      cacheOff.databaseMs ?? "-",
      cacheOff.coresOfOthers,
      ...speedOf(cacheOn),
      cacheOn.coresOfOthers,
      above.join(" "),
    ])
  }),
]

const speedOf = ({ p50Ms, p99Ms, requestsPerSecond }: Measured) => [requestsPerSecond, p50Ms, p99Ms]

const row = (name: string, cells: ReadonlyArray<string | number>): string =>
  (name.padEnd(24) + cells.map((cell) => String(cell).padStart(10)).join("")).trimEnd()
