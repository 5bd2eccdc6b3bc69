import { describe, it } from "@effect/vitest"
import { startScenarios } from "./play/startScenarios.ts"
import { assertSingleFaultsHarmless } from "./singleFaults.ts"

describe("some single requests that fail", () => {
  // The full run has every request of every scenario.
  for (const scenario of startScenarios.filter(({ isSampled }) => isSampled)) {
    it(`${scenario.name}: no client and no match notices`, () => assertSingleFaultsHarmless(scenario, { first: 2, step: 19 }))
  }
})
