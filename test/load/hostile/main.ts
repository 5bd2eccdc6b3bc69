/**
 * `npm run bench -- hostile [flags]`: hostile clients against the server as `npm start` wires it, beside one normal
 * client. Each attack is measured alone, and then all together, on one service. The first baseline begins once the
 * service has written its samples and is idle. Loopback only, bounded in time and count. Linux only. A table on stdout,
 * progress on stderr.
 */
import { parseArgs } from "node:util"
import { helpIfAsked } from "../lib/help.ts"
import { describeMachine } from "../lib/machine.ts"
import { type AttackName, attackNames } from "./attacks.ts"
import { type Cost, type Load, measureHostile } from "./measure.ts"

helpIfAsked(`npm run bench -- hostile [flags]
  --attack <list>      ${attackNames.join(", ")};
                       all: together; each: each alone. Default each,all
  --clients <n>        hostile clients; default 40, 1 to 200
  --seconds <s>        duration of each attack; default 30, 1 to 600
  --rate <n>           maximum actions per second and client; default 5, 0.1 to 100
  --warm-up <s>        time with the normal client alone, before each attack; default 15, 1 to 600
  --idle-within <s>    longest wait for the service to be idle, before each attack; default 600, 0 to 3600
  --json               JSON instead of a table`)

const { values } = parseArgs({
  options: {
    attack: { type: "string", default: "each,all" },
    clients: { type: "string", default: "40" },
    seconds: { type: "string", default: "30" },
    rate: { type: "string", default: "5" },
    "warm-up": { type: "string", default: "15" },
    "idle-within": { type: "string", default: "600" },
    json: { type: "boolean", default: false },
  },
})

const within = (flag: "clients" | "seconds" | "rate" | "warm-up" | "idle-within", least: number, most: number): number => {
  const value = Number(values[flag])
  if (!(value >= least && value <= most)) throw new Error(`--${flag} is ${least} to ${most}, not ${values[flag]}`)
  return value
}

const isAttack = (name: string): name is AttackName => attackNames.some((known) => known === name)
const alone = (name: AttackName) => ({ name, attacks: [name] })

const runs = values.attack.split(",").flatMap((name): Load["runs"] => {
  if (name === "each") return attackNames.map(alone)
  if (name === "all") return [{ name, attacks: attackNames }]
  if (!isAttack(name)) throw new Error(`--attack takes all, each, ${attackNames.join(", ")}, not ${name}`)
  return [alone(name)]
})

const BAR = { extraMb: 150, p99Ms: 50, refused: 0, ledgerAvailable: true }

const load: Load = {
  runs,
  clients: within("clients", 1, 200),
  seconds: within("seconds", 1, 600),
  rate: within("rate", 0.1, 100),
  warmUp: within("warm-up", 1, 600),
  idleWithin: within("idle-within", 0, 3_600),
}

const heads = ["attack", "p99 alone", "p99", "worst", "RSS before", "peak more", "RSS after", "refused", "machine"]
const row = (cells: ReadonlyArray<string>): string => cells.map((cell) => cell.padEnd(15)).join("")
const rowOf = ({ before, during, extraMb, isBaselineIdle, name, rssAfterMb, rssBeforeMb }: Cost): string =>
  row([
    name,
    `${before.p99Ms} ms${isBaselineIdle ? "" : " (busy)"}`,
    `${during.p99Ms} ms`,
    `${during.worstMs} ms`,
    `${rssBeforeMb} MB`,
    `${extraMb} MB`,
    `${rssAfterMb} MB`,
    Object.entries(during.refused)
      .map(([status, count]) => `${status}: ${count}`)
      .join(" ") || "0",
    String(during.machineBusy),
  ])

const report = await measureHostile(load, (cost) => process.stderr.write(`${JSON.stringify(cost)}\n`))
const { costs, ledgerAvailable } = report
process.stdout.write(
  values.json
    ? `${JSON.stringify({ bench: "hostile", machine: await describeMachine(), node: process.version, bar: BAR, ...load, ...report }, null, 2)}\n`
    : `${[
        row(heads),
        ...costs.map(rowOf),
        `ledger available: ${ledgerAvailable}; bar: p99 ${BAR.p99Ms} ms, ${BAR.extraMb} MB more, ${BAR.refused} refused`,
      ].join("\n")}\n`,
)
