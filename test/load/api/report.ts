// Owns the report of a run as tables.
import type { Peer } from "./compareWithPeers.ts"
import type { Measured } from "./measure.ts"

export interface ClassReport extends Measured {
  readonly name: string
  readonly unasked: ReadonlyArray<string>
}

export interface Report {
  readonly bench: "api"
  readonly machine: string
  readonly node: string
  readonly database: "postgres" | "embedded"
  readonly connections: number
  readonly metering: boolean
  readonly kept: boolean
  /** Maximum p99, ms. Null: none. */
  readonly bar: number | null
  readonly classes: ReadonlyArray<ClassReport>
  readonly mixed: Measured | null
  readonly peers: Readonly<Record<string, ReadonlyArray<Peer>>>
}

const SLOWEST_SHOWN = 5

/** Returns the reasons why the run exits with 1. Empty: it succeeds. */
export const complaints = ({ bar, classes, mixed }: Report): ReadonlyArray<string> => {
  const all = mixed === null ? classes : [...classes, { ...mixed, name: "mixed" }]
  return all.flatMap(({ failed, failures, name, p99Ms }) => [
    ...(failed > 0
      ? [`${name}: ${failed} failed, ${failures.map(({ body, path, status }) => `${status} ${path} ${body}`).join("\n  ")}`]
      : []),
    ...(bar !== null && !(p99Ms <= bar) ? [`${name}: p99 ${p99Ms} ms, the bar is ${bar} ms`] : []),
  ])
}

export const tables = (report: Report): string => {
  const { classes, connections, database, machine, mixed, node, peers } = report
  const all = mixed === null ? classes : [...classes, { ...mixed, name: "mixed", unasked: [] }]
  return [
    `archive on ${database}, ${connections} connections, metering ${report.metering ? "on" : "off"}, responses ${report.kept ? "cached" : "not cached"}, ${machine}, node ${node}`,
    row("", ["req/s", "p50", "p90", "p99", "max", "alone p50", "p99", "server ms", "db ms", "bytes", "others"]),
    ...all.map((one) =>
      row(one.name, [
        one.requestsPerSecond,
        one.p50Ms,
        one.p90Ms,
        one.p99Ms,
        one.maxMs,
        one.alone.p50Ms,
        one.alone.p99Ms,
        one.serverMs,
        one.databaseMs ?? "-",
        one.bytesPerResponse,
        one.coresOfOthers,
      ]),
    ),
    ...Object.entries(peers).flatMap(([name, compared]) => [
      "",
      row(`${name}, same SQL`, ["req/s", "p50", "p99", "alone p50", "server ms", "bytes", "failed", "ours/it"]),
      ...compared.map((peer) =>
        row(peer.name, [
          peer.requestsPerSecond,
          peer.p50Ms,
          peer.p99Ms,
          peer.aloneP50Ms,
          peer.serverMs,
          peer.bytesPerResponse,
          peer.failed,
          peer.ours,
        ]),
      ),
    ]),
    "",
    "Slowest addresses without other load, best and median of three, ms:",
    ...classes.flatMap(({ name, slowest, unasked }) => [
      name,
      ...slowest
        .slice(0, SLOWEST_SHOWN)
        .map(({ bestMs, medianMs, path }) => `  ${String(bestMs).padStart(8)} ${String(medianMs).padStart(8)}  ${path}`),
      ...unasked.map((reason) => `  not requested: ${reason}`),
    ]),
    ...complaints(report).map((complaint) => `FAILED ${complaint}`),
  ].join("\n")
}

const row = (name: string, cells: ReadonlyArray<string | number>): string =>
  name.padEnd(26) + cells.map((cell) => String(cell).padStart(10)).join("")
