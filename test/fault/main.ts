/**
 * `npm run test:fault -- <scenario> [--seed n] [--runs n] [--size small|full] [--json] [--keep]` runs a fault scenario on
 * real processes and prints the verdict. Exits with 1 if a run was not clean. Described in test/fault/README.md.
 */
import { parseArgs } from "node:util"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect } from "effect"
import { helpIfAsked } from "../load/lib/help.ts"
import { runScenario } from "./run/runScenario.ts"
import { tableOf } from "./run/table.ts"
import type { Verdict } from "./run/Verdict.ts"
import { scenarios } from "./scenarios/all.ts"
import type { Size } from "./scenarios/Scenario.ts"

const usage = `npm run test:fault -- <scenario> [flags]
  --seed <n>      seed of the matches, the victims and the clients' waiting times, default 1
  --runs <n>      runs with the seeds n, n + 1, ..., default 1
  --size <s>      small (10 matches, 50 clients) or full (default: 100 matches, 2,000 clients)
  --version <c>   commit of the older version for two-versions, default HEAD~1
  --json          the verdicts as JSON
  --keep          keep the folder of the run: data, logs, transcripts
scenarios
${scenarios.map(({ name, summary }) => `  ${name.padEnd(20)} ${summary}`).join("\n")}`

helpIfAsked(usage)

/** Ends the process with a message about wrong arguments. */
const refuse = (problem: string): never => {
  process.stderr.write(`${problem}\n${usage}\n`)
  process.exit(2)
}

const readArguments = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        seed: { type: "string", default: "1" },
        runs: { type: "string", default: "1" },
        size: { type: "string", default: "full" },
        version: { type: "string", default: "HEAD~1" },
        json: { type: "boolean", default: false },
        keep: { type: "boolean", default: false },
      },
    })
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error))
  }
}

const wholeNumber = (text: string, flag: string, least: number): number => {
  const value = Number(text)
  return Number.isSafeInteger(value) && value >= least ? value : refuse(`--${flag} needs a whole number of at least ${least}, not ${text}`)
}

const isSize = (text: string): text is Size => text === "small" || text === "full"

const { positionals, values } = readArguments()
const [name] = positionals
const scenario = scenarios.find((candidate) => candidate.name === name)
const seed = wholeNumber(values.seed, "seed", 0)
const runs = wholeNumber(values.runs, "runs", 1)
const { json, keep, size, version: otherCommit } = values

const program = Effect.gen(function* () {
  if (scenario === undefined) return refuse(name === undefined ? "name a scenario" : `there is no scenario ${name}`)
  if (!isSize(size)) return refuse(`--size is small or full, not ${size}`)
  const verdicts: Array<Verdict> = []
  for (let run = 0; run < runs; run++) {
    const onStep = (text: string) => process.stderr.write(`${scenario.name} seed ${seed + run}: ${text}\n`)
    verdicts.push(yield* runScenario(scenario, { seed: seed + run, size, keep, otherCommit, onStep }))
  }
  process.stdout.write(`${json ? JSON.stringify(verdicts, undefined, 2) : tableOf(verdicts)}\n`)
  if (verdicts.some(({ clean }) => !clean)) process.exitCode = 1
})

NodeRuntime.runMain(program)
