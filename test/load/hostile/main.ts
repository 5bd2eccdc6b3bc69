/**
 * `npm run bench -- hostile [flags]`: hostile clients against the server as `npm start` wires it, beside one normal
 * client. Attacks: many calls per body over RPC with and without a key, wrong tokens on /feed and /admin, deep JSON,
 * floods and oversized messages on the sockets, heads and bodies that never end. Loopback only, bounded in time and
 * count. Linux only. JSON on stdout, progress on stderr.
 */
import { parseArgs } from "node:util"
import { alwaysJson, helpIfAsked } from "../lib/help.ts"
import { describeMachine } from "../lib/machine.ts"
import { type Load, measureHostile } from "./measure.ts"

helpIfAsked(`npm run bench -- hostile [flags]
  --clients <n>        hostile clients; default 40, 1 to 200
  --seconds <s>        duration of the attack; default 60, 1 to 600
  --rate <n>           maximum attacks per second and client; default 5, 0.1 to 100
  --warm-up <s>        time with the normal client alone; default 60, 1 to 600
${alwaysJson}`)

const { values } = parseArgs({
  options: {
    clients: { type: "string", default: "40" },
    seconds: { type: "string", default: "60" },
    rate: { type: "string", default: "5" },
    "warm-up": { type: "string", default: "60" },
    json: { type: "boolean", default: true },
  },
})

const within = (flag: "clients" | "seconds" | "rate" | "warm-up", least: number, most: number): number => {
  const value = Number(values[flag])
  if (!(value >= least && value <= most)) throw new Error(`--${flag} is ${least} to ${most}, not ${values[flag]}`)
  return value
}

const BAR = { extraMb: 150, p99Ms: 50, ledgerAvailable: true }

const load: Load = {
  clients: within("clients", 1, 200),
  seconds: within("seconds", 1, 600),
  rate: within("rate", 0.1, 100),
  warmUp: within("warm-up", 1, 600),
}
process.stderr.write(`${load.warmUp} s with the normal client alone, then ${load.seconds} s with ${load.clients} hostile ones\n`)
const cost = await measureHostile(load)
const report = { bench: "hostile", machine: describeMachine(), node: process.version, bar: BAR, ...load, ...cost }
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
