/**
 * `npm run bench -- intake [flags]`: what a fact costs on its way through a cluster. Starts PostgreSQL, NATS, feed and match
 * processes, and posts the facts of tennis matches at a rate. JSON on stdout.
 */
import { parseArgs } from "node:util"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import { alwaysJson, helpIfAsked } from "../lib/help.ts"
import { describeMachine } from "../lib/machine.ts"
import { measureIntake } from "./measureIntake.ts"

const usage = `npm run bench -- intake [flags]
  --matches <n>        default 100
  --rate <n>           facts per second and match, default 10. A feed that is behind posts several facts at once
  --seconds <n>        length of the measurement after the warm-up, default 15
  --processes <n>      match processes, default 1
  --profile <dir>      write CPU profiles of the feed process and the match processes to this folder
${alwaysJson}`
helpIfAsked(usage)

const { values } = parseArgs({
  options: {
    matches: { type: "string", default: "100" },
    rate: { type: "string", default: "10" },
    seconds: { type: "string", default: "15" },
    processes: { type: "string", default: "1" },
    profile: { type: "string" },
    json: { type: "boolean", default: false },
  },
})

const atLeastOne = (flag: "matches" | "rate" | "seconds" | "processes"): number => {
  const value = Number(values[flag])
  if (!(value >= 1)) throw new Error(`--${flag} is 1 or more, not ${values[flag]}`)
  return value
}

const flags = {
  matches: atLeastOne("matches"),
  rate: atLeastOne("rate"),
  seconds: atLeastOne("seconds"),
  processes: atLeastOne("processes"),
  profile: values.profile,
}

NodeRuntime.runMain(
  Effect.gen(function* () {
    const measured = yield* measureIntake(flags)
    const machine = yield* Effect.promise(describeMachine)
    const report = { bench: "intake", machine, node: process.version, flags, ...measured }
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  }),
)
