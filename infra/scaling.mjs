/**
 * Tables of infra/SCALING.md and docs/operators/operations.md, which a test compares with these functions.
 * `node infra/scaling.mjs [--matches n] [--sockets n] [--changes n] [--updates n]` prints them for a load.
 */
import { pathToFileURL } from "node:url"
import { parseArgs } from "node:util"
import { HEADER_BYTES, limits, measured, plan, target } from "./scalingModel.mjs"

/** @typedef {import("./scalingModel.mjs").Load} Load */

const number = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 })
const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 })

/** @param {number} bytes */
function bytesText(bytes) {
  const units = ["B", "KB", "MB", "GB", "TB"]
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  return `${number.format(bytes / 1_000 ** power)} ${units[power]}`
}

/** @param {number} seconds */
const secondsText = (seconds) => (seconds >= 120 ? `${number.format(seconds / 60)} min` : `${number.format(seconds)} s`)

/** @param {ReadonlyArray<string>} cells */
const row = (cells) => `| ${cells.join(" | ")} |`

/** Table of the measured values. */
export const measuredTable = () =>
  [
    row(["what", "value", "benchmark"]),
    row(["---", "---:", "---"]),
    ...Object.values(measured).map(({ benchmark, unit, value, what }) =>
      row([what, `${value.toLocaleString("en-US")} ${unit} (measured)`, `\`${benchmark}\``]),
    ),
  ].join("\n")

/** Table of what one fully used core of each role does. */
export const capacityTable = () => {
  const { deliveryTime, events, matchMemory, requestTime, resumeTime, webhooks } = measured
  const perSecond = (/** @type {number} */ microseconds) => whole.format(1e6 / microseconds)
  return [
    row(["role", "one core", "source"]),
    row(["---", "---:", "---"]),
    row(["match", `${whole.format(events.value)} facts/s`, "measured"]),
    row(["match", `${whole.format(2e9 / (matchMemory.value * 1_000))} matches in 2 GB`, "arithmetic"]),
    row(["gateway", `${perSecond(deliveryTime.value)} deliveries/s`, "arithmetic"]),
    row(["gateway", `${perSecond(requestTime.value)} REST requests/s from memory`, "arithmetic"]),
    row(["gateway", `${perSecond(resumeTime.value)} returning clients/s`, "arithmetic"]),
    row(["webhooks", `${whole.format(webhooks.value)} deliveries/s`, "measured"]),
    row(["feed", "missing", "not measured"]),
  ].join("\n")
}

/**
 * Table of what a load needs.
 * @param {Load} load
 */
export function planTable(load) {
  const needs = plan(load)
  return [
    row(["what", "value (arithmetic)", "how"]),
    row(["---", "---:", "---"]),
    row(["facts", `${whole.format(needs.events)}/s`, "matches x changes"]),
    row([
      "match processes",
      whole.format(needs.matchProcesses),
      `facts / ${whole.format(measured.events.value)} per core, at 60 % of a core`,
    ]),
    row(["matches per match process", whole.format(needs.matchesPerProcess), "matches / processes"]),
    row(["memory of their states, per process", bytesText(needs.matchMemory), `${measured.matchMemory.value} KB per match`]),
    row(["appends to NATS", `${whole.format(needs.appends)}/s`, "one to FEED and one to LIVE per fact"]),
    row([
      "cores of the NATS servers",
      number.format(needs.natsCores),
      `${measured.natsCores.value} cores per ${whole.format(measured.events.value)} facts/s, without replicas`,
    ]),
    row(["LIVE", `${bytesText(needs.liveRate)}/s`, `${measured.recordBytes.value} B per change`]),
    row(["time that LIVE keeps today", secondsText(needs.liveKeptSeconds), "512 MB / rate"]),
    row(["size of LIVE for 15 minutes", bytesText(needs.liveNeeded), "rate x 900 s"]),
    row(["deliveries to clients", `${whole.format(needs.deliveries)}/s`, "clients x updates"]),
    row(["cores for deliveries", number.format(needs.deliveryCores), `${measured.deliveryTime.value} us each`]),
    row(["gateways", whole.format(needs.gateways), "at 60 % of a core"]),
    row(["clients per gateway", whole.format(needs.socketsPerGateway), "clients / gateways"]),
    row([
      "memory of their sockets, per gateway",
      bytesText(needs.socketMemory),
      `${whole.format(measured.socketMemory.value)} B each, without the kernel's buffers`,
    ]),
    row([
      "cores of each gateway to read all of LIVE",
      number.format(needs.readCores),
      `${measured.readTime.value} us per record; not in the number of gateways`,
    ]),
    row(["sent to clients", `${bytesText(needs.clientRate)}/s`, `${measured.deltaBytes.value} + ${HEADER_BYTES} B per delivery`]),
    row(["sent by one gateway", `${bytesText(needs.gatewayRate)}/s`, "the same / gateways"]),
    row(["read from NATS, if each gateway reads all", `${bytesText(needs.brokerRate)}/s`, "LIVE x gateways"]),
    row(["gateways that an interface of 10 Gbit/s feeds", number.format(needs.gatewaysPerInterface), "1.25 GB/s / LIVE"]),
    row(["such interfaces for all gateways", whole.format(needs.relays), "read from NATS / 1.25 GB/s"]),
    row(["checkpoints", `${whole.format(needs.checkpoints)}/s`, "one per match in 5 s"]),
    row(["their statements", `${number.format(needs.checkpointStatements)}/s`, "32 share one"]),
    row(["bytes of checkpoints", `${bytesText(needs.checkpointRate)}/s`, "50 KB each, before compression"]),
    row(["cores of PostgreSQL for the ledger", number.format(needs.ledgerCores), "one exchange per gateway in 2 s, 1.4 ms each"]),
    row(["connections to PostgreSQL", whole.format(needs.connections), "10 per process"]),
    row([
      "CPU to take over the clients of one gateway",
      secondsText(needs.gatewayLost),
      `${measured.resumeTime.value} us each, shared by the others`,
    ]),
    row(["time until all clients are back at once", secondsText(needs.allBack), "the same for all, one core per gateway"]),
  ].join("\n")
}

/**
 * Table of the limits in the order in which they are reached.
 * @param {number} changes
 */
export function limitsTable(changes) {
  const { checkpoints, interfaceOfOneReader, liveSize, oneNatsCore, oneProcess, oneReader } = limits(changes)
  /** @type {ReadonlyArray<readonly [matches: number, what: string, move: string]>} */
  const rows = [
    [liveSize, "LIVE keeps less than 15 minutes", "`MATCHPOINT_LOG_MEGABYTES`, and `max_file_store` of NATS"],
    [oneProcess, "one match process is busy all the time", "more match processes"],
    [
      oneNatsCore,
      "one core of the NATS server is busy all the time",
      "a NATS cluster whose streams have different leaders; then several streams for LIVE and for FEED, by partition",
    ],
    [checkpoints, "checkpoints write 100 MB/s to PostgreSQL", "rarer checkpoints: a takeover then folds more facts"],
    [oneReader, "one gateway uses a core to read LIVE", "`MATCHPOINT_GATEWAY_READS=followed`, and clients of a match at the same gateways"],
    [interfaceOfOneReader, "LIVE fills an interface of 10 Gbit/s to one reader", "the same"],
  ]
  return [
    row(["live matches (arithmetic)", "limit", "how to move it"]),
    row(["---:", "---", "---"]),
    ...rows.toSorted((one, two) => one[0] - two[0]).map(([matches, what, move]) => row([whole.format(matches), what, move])),
  ].join("\n")
}

/** Loads of the table in docs/operators/operations.md. */
export const usualLoads = [
  { matches: 100, sockets: 10_000, changes: 4, updates: 4 },
  { matches: 500, sockets: 100_000, changes: 4, updates: 4 },
  { matches: 2_000, sockets: 1_000_000, changes: 4, updates: 1 },
]

/** Table of processes for usual loads. */
export const usualTable = () =>
  [
    row([
      "live matches",
      "clients",
      "updates per client",
      "match processes",
      "gateways",
      "LIVE for 15 minutes",
      "connections to PostgreSQL",
    ]),
    row(["---:", "---:", "---:", "---:", "---:", "---:", "---:"]),
    ...usualLoads.map((load) => {
      const needs = plan(load)
      return row([
        whole.format(load.matches),
        whole.format(load.sockets),
        `${load.updates}/s`,
        whole.format(needs.matchProcesses),
        whole.format(needs.gateways),
        bytesText(needs.liveNeeded),
        whole.format(needs.connections),
      ])
    }),
  ].join("\n")

/** @param {ReadonlyArray<string>} args */
function main(args) {
  const text = /** @type {const} */ ({ type: "string" })
  const { values } = parseArgs({ args: [...args], options: { matches: text, sockets: text, changes: text, updates: text } })
  const load = { ...target }
  for (const name of /** @type {const} */ (["matches", "sockets", "changes", "updates"])) {
    const given = values[name]
    if (given === undefined) continue
    load[name] = Number(given)
    if (!(load[name] > 0)) throw new Error(`--${name} must be a number above 0, not ${given}`)
  }
  process.stdout.write(`${[measuredTable(), planTable(load), limitsTable(load.changes), usualTable()].join("\n\n")}\n`)
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) main(process.argv.slice(2))
