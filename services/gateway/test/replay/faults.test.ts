import { assert, describe, it } from "@effect/vitest"
import { matchId } from "@matchpoint/cs2/rules/ids"
import { Schema } from "effect"
import { Faults } from "../../src/replay/faults.ts"

const Seed = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))
const seqs = Array.from({ length: 2_000 }, (_, index) => index + 1)
const all = ["drop", "duplicate", "stall"] as const

describe("Faults", () => {
  it.prop("places drops 51 to 199 frames apart for every seed", { seed: Seed }, ({ seed }) => {
    const faults = new Faults(matchId(7), { faults: ["drop"], seed })
    const drops = seqs.filter((seq) => faults.after({ epoch: 1, seq }).drop)
    const gaps = drops.map((seq, index) => seq - (drops[index - 1] ?? 0))
    assert.isAtLeast(drops.length, 10)
    assert.isTrue(
      gaps.every((gap) => gap >= 51 && gap <= 199),
      gaps.join(),
    )
  })

  it("depend only on the seed and the match", () => {
    const of = (match: number, seed: number, faults: ReadonlyArray<(typeof all)[number]> = all, epoch = 1) =>
      seqs.map((seq) => new Faults(matchId(match), { faults, seed }).after({ epoch, seq }))
    assert.deepStrictEqual(of(7, 3), of(7, 3))
    for (const other of [of(7, 4), of(8, 3), of(7, 3, all, 2)]) assert.notDeepEqual(other, of(7, 3))
    // Requesting another kind does not move the others.
    assert.deepStrictEqual(
      of(7, 3, ["drop"]).map(({ drop }) => drop),
      of(7, 3).map(({ drop }) => drop),
    )
  })

  it("occur only if requested; a stall lasts half a second to five seconds", () => {
    const faults = new Faults(matchId(7), { faults: all })
    const after = seqs.map((seq) => faults.after({ epoch: 1, seq }))
    const stalls = after.flatMap(({ stallMs }) => (stallMs === 0 ? [] : [stallMs]))
    assert.strictEqual(stalls.length, 16)
    assert.isTrue(stalls.every((ms) => ms >= 500 && ms <= 5_000))
    assert.isTrue(new Set(stalls).size > 1)
    assert.isAbove(after.filter(({ duplicate }) => duplicate).length, 20)
    const quiet = new Faults(matchId(7), { seed: 5 })
    assert.isTrue(seqs.every((seq) => !Object.values(quiet.after({ epoch: 1, seq })).some(Boolean)))
  })
})
