import { describe, it } from "@effect/vitest"
import { startScenarios } from "./play/startScenarios.ts"
import { assertSingleFaultsHarmless } from "./singleFaults.ts"

describe("each single request that fails", () => {
  for (const scenario of startScenarios) {
    it(`${scenario.name}: no client and no match notices`, { timeout: 120_000 }, () => assertSingleFaultsHarmless(scenario))
  }
})
