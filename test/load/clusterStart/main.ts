/**
 * `DATABASE_URL=... npm run bench -- cluster-start [flags]`: what each process of `npm run cluster` costs until it is ready, and while
 * there is nothing to do. Uses databases of its own on the server of DATABASE_URL, and starts a NATS server. Linux only. A table on
 * stdout, progress on stderr.
 */
import { parseArgs } from "node:util"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { createDatabase } from "@matchpoint/testing/createDatabase"
import { temporaryDirectory } from "@matchpoint/testing/temporaryDirectory"
import { Effect, Redacted } from "effect"
import { natsServer } from "../../fault/system/executables.ts"
import { startNats } from "../../fixtures/natsServer.ts"
import { helpIfAsked } from "../lib/help.ts"
import { describeMachine } from "../lib/machine.ts"
import { measureClusterStart, type StartedProcess } from "./measure.ts"

const usage = `npm run bench -- cluster-start [flags]
  --rounds <n>  starts; default 3; 1 to 20
  --idle <s>    seconds of idling after all processes are ready; default 60; 1 to 3,600
  --json        JSON instead of a table`
helpIfAsked(usage)

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    idle: { type: "string", default: "60" },
    json: { type: "boolean", default: false },
  },
})
const rounds = Number(values.rounds)
const idleFor = Number(values.idle)
if (!(Number.isInteger(rounds) && rounds >= 1 && rounds <= 20)) throw new Error(`--rounds is 1 to 20, not ${values.rounds}`)
if (!(idleFor >= 1 && idleFor <= 3_600)) throw new Error(`--idle is 1 to 3,600, not ${values.idle}`)
const databaseUrl = process.env["DATABASE_URL"]
if (databaseUrl === undefined) throw new Error("DATABASE_URL is required: a PostgreSQL server on which this benchmark may create databases")

const BAR = { readyCpu: 2, idleMb: 180 }

const measureOnce = Effect.scoped(
  Effect.gen(function* () {
    const database = yield* createDatabase(databaseUrl, null)
    const natsUrl = yield* startNats(natsServer(), yield* temporaryDirectory)
    return yield* Effect.promise(() => measureClusterStart({ databaseUrl: Redacted.value(database), natsUrl }, idleFor))
  }),
)

const lineOf = ({ idleCpu, idleMb, name, readyAfter, readyCpu }: StartedProcess) =>
  `${name.padEnd(12)}ready after ${readyAfter} s with ${readyCpu.toFixed(1)} s of CPU; idle ${idleMb} MB, ${(idleCpu * 100).toFixed(1)} % of a core`

NodeRuntime.runMain(
  Effect.gen(function* () {
    const starts: Array<ReadonlyArray<StartedProcess>> = []
    for (let round = 0; round < rounds; round++) {
      const processes = yield* measureOnce
      process.stderr.write(`${JSON.stringify(processes)}\n`)
      starts.push(processes)
    }
    const machine = yield* Effect.promise(describeMachine)
    const report = { bench: "cluster-start", machine, node: process.version, bar: BAR, idleFor, starts }
    process.stdout.write(`${values.json ? JSON.stringify(report, null, 2) : starts.flat().map(lineOf).join("\n")}\n`)
  }),
)
