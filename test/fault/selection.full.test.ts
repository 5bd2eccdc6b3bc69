/** A short selection of the fault scenarios, so that each change is tested against the faults that matter most. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { runScenario } from "./run/runScenario.ts"
import { scenarios } from "./scenarios/all.ts"

const selection = ["kill-owner", "freeze-owner", "rolling-restart", "cut-gateway-nats"]

/** Looser than the scenarios demand, because the machine of the tests may be slow and busy. */
const LONGEST_PAUSE_MS = 20_000

describe("faults on real processes", () => {
  for (const name of selection) {
    it.live(
      `${name} leaves no trace in what clients receive`,
      () =>
        Effect.gen(function* () {
          const scenario = scenarios.find((candidate) => candidate.name === name)
          if (scenario === undefined) return assert.fail(`there is no scenario ${name}`)
          const options = { seed: 1, size: "small", keep: false, otherCommit: "HEAD", onStep: () => {} } as const
          const patient = { ...scenario, demands: { ...scenario.demands, longestPauseMs: LONGEST_PAUSE_MS } }
          const { findings, notes } = yield* runScenario(patient, options)
          assert.deepStrictEqual(findings, [], notes.join("\n"))
        }),
      240_000,
    )
  }
})
