import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { graceOf, leaseSize, type StoredLease, settle } from "../../src/metering/leases.ts"

describe("leases", () => {
  it("small quotas are leased one request at a time, large ones 1/10,000 of the month at once", () => {
    assert.deepStrictEqual([0, 1, 500, 10_000, 30_000, 1_000_000, 5_000_000, 500_000_000].map(leaseSize), [1, 1, 1, 1, 3, 100, 500, 1_000])
    assert.deepStrictEqual([500, 10_000, 1_000_000, 500_000_000].map(graceOf), [0, 10, 1_000, 5_000])
  })

  const Step = Schema.Struct({
    lease: Schema.Literals([0, 1, 2]),
    want: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 50 })),
    giveBack: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 20 })),
    owed: Schema.Literals([0, 0, 0, 0, 1, 3]),
    fate: Schema.Literals(["learned", "learned", "lost", "twice", "late"]),
  })

  it.prop(
    "whichever reports get lost, the granted total equals the sum of the leases and stays within quota and owed requests",
    { quota: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 300 })), steps: Schema.Array(Step) },
    ({ quota, steps }) => {
      let given = 0
      let owedInAll = 0
      const stored: Array<StoredLease | undefined> = [undefined, undefined, undefined]
      const known = [0, 0, 0]
      const revisions = [0, 0, 0]
      const apply = (lease: number, report: Parameters<typeof settle>[0]) => {
        const settled = settle(report, stored[lease], given, quota)
        given = settled.given
        if (settled.counts) stored[lease] = { size: settled.size, revision: report.revision }
        return settled
      }
      for (const { fate, giveBack, lease, owed, want } of steps) {
        const size = known[lease] ?? 0
        const revision = (revisions[lease] ?? 0) + 1
        revisions[lease] = revision
        const report = { revision, size, want, giveBack: Math.min(giveBack, size), owed }
        known[lease] = size - report.giveBack
        if (fate === "late") {
          // The report arrives after the next report of the lease, and must not count.
          revisions[lease] = revision + 1
          apply(lease, { revision: revision + 1, size: known[lease] ?? 0, want: 0, giveBack: 0, owed: 0 })
          const before = given
          assert.isFalse(apply(lease, report).counts)
          assert.strictEqual(given, before)
          continue
        }
        const { granted } = apply(lease, report)
        owedInAll += owed
        if (fate === "twice") assert.strictEqual(apply(lease, report).granted, 0)
        if (fate !== "lost") known[lease] = (known[lease] ?? 0) + granted + owed
        const held = stored.reduce((sum, one) => sum + (one?.size ?? 0), 0)
        assert.strictEqual(given, held)
        assert.isAtMost(given, quota + owedInAll)
        assert.isAtLeast(stored[lease]?.size ?? 0, known[lease] ?? 0)
      }
    },
  )
})
