/** Tests which tournaments count in the standings, and to which stage they belong. */
import { assert, describe, it } from "@effect/vitest"
import { tournamentNamed } from "../../../src/rules/archive/tournaments.ts"

const told = (name: string) => {
  const { isLeague, stage } = tournamentNamed(2026, name)
  return `${isLeague ? "counts" : "does not count"}, ${stage}`
}

describe("a tournament", () => {
  it("counts in the standings if it is an event of the season of the league", () => {
    assert.strictEqual(told("CDL Major 2 Qualifier"), "counts, stage-2")
    assert.strictEqual(told("Major 1 2025"), "counts, stage-1")
    assert.strictEqual(told("Call of Duty League 2023, event not stated"), "counts, null")
  })

  it("does not count if it is the championship or an invitational", () => {
    for (const name of [
      "Call of Duty League Championship 2025",
      "CDL Champs 2026",
      "Championship 2026 (simulated)",
      "Kaysan's Showdown VIII",
    ]) {
      assert.strictEqual(told(name), "does not count, null", name)
    }
  })
})
