/** Tests what the ledger grants and bills, and that neither depends on the timing or repetition of reports. */
import { randomUUID } from "node:crypto"
import type { PgClient } from "@effect/sql-pg"
import { assert, type Vitest } from "@effect/vitest"
import { AccountId, termsOf } from "@matchpoint/domain/accounts"
import type { LeaseReport } from "@matchpoint/domain/metering/leases"
import { Day, Period } from "@matchpoint/domain/metering/periods"
import { Clock, Effect, Random, Ref, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Accounts } from "../../src/keys/Accounts.ts"
import { UsageLedger } from "../../src/usage/UsageLedger.ts"
import { accountWith, ledgerAt, monthOf, receiptOf, reportOf, thisMonth } from "./usageSamples.ts"

export const usageLedgerContract = (it: Vitest.MethodsNonLive<Accounts | UsageLedger | PgClient.PgClient>) => {
  it.effect("returns the time if there is nothing to settle", () =>
    Effect.gen(function* () {
      const ledger = yield* UsageLedger
      const { leases, now } = yield* ledger.settle([], [])
      assert.deepStrictEqual(leases, [])
      assert.isBelow(Math.abs(now - (yield* TestClock.withLive(Clock.currentTimeMillis))), 60_000)
    }),
  )

  it.effect("grants what is wanted, at most an eighth of the remaining quota, and takes back what is not needed", () =>
    Effect.gen(function* () {
      const ledger = yield* UsageLedger
      const { period } = yield* thisMonth
      const accountId = yield* accountWith(1_000)
      const first = reportOf(accountId, period, { want: 50 })
      const { leaseId } = first
      const answers = yield* Effect.forEach(
        [
          first,
          { ...first, revision: 2, size: 50, want: 500 },
          { ...first, revision: 3, size: 168, want: 0, giveBack: 160 },
          { ...first, revision: 4, size: 8, want: 0, owed: 5 },
        ],
        (report) => Effect.map(ledger.settle([report], []), ({ leases }) => leases),
      )
      assert.deepStrictEqual(answers.flat(), [
        { leaseId, granted: 50, quota: 1_000, left: 950 },
        { leaseId, granted: 118, quota: 1_000, left: 832 },
        { leaseId, granted: 0, quota: 1_000, left: 992 },
        { leaseId, granted: 0, quota: 1_000, left: 987 },
      ])
      assert.deepStrictEqual(yield* monthOf(accountId), { period, quota: 1_000, granted: 13, requests: 0, streamTicks: 0, misplaced: 0 })
    }),
  )

  it.effect("settles several leases of one month and several accounts in one call", () =>
    Effect.gen(function* () {
      const ledger = yield* UsageLedger
      const { day, period } = yield* thisMonth
      const [one, other] = [yield* accountWith(3), yield* accountWith(100)]
      const reports = [
        ...[1, 2, 3, 4].map(() => reportOf(one, period, { want: 1 })),
        reportOf(other, period, { want: 5, owed: 2, lines: [{ day, requests: 1, streamTicks: 1 }] }),
      ]
      const { leases } = yield* ledger.settle(reports, [])
      assert.deepStrictEqual(
        leases.map(({ granted, left }) => [granted, left]),
        [
          [1, 2],
          [1, 1],
          [1, 0],
          [0, 0],
          [5, 93],
        ],
      )
      assert.deepInclude(yield* monthOf(one), { granted: 3, requests: 0 })
      assert.deepInclude(yield* monthOf(other), { granted: 7, requests: 1, streamTicks: 1 })
    }),
  )

  it.effect("ignores a report that is repeated or arrives after a later one", () =>
    Effect.gen(function* () {
      const ledger = yield* UsageLedger
      const { day, period } = yield* thisMonth
      const accountId = yield* accountWith(1_000)
      const first = reportOf(accountId, period, { want: 10, lines: [{ day, requests: 1, streamTicks: 4 }] })
      const second = { ...first, revision: 2, size: 10, want: 0, giveBack: 3, lines: [{ day, requests: 5, streamTicks: 2 }] }
      const granted = yield* Effect.forEach([first, first, second, second, first], (report) =>
        Effect.map(ledger.settle([report], []), ({ leases }) => leases[0]?.granted),
      )
      assert.deepStrictEqual(granted, [10, 0, 0, 0, 0])
      assert.deepInclude(yield* monthOf(accountId), { granted: 7, requests: 5, streamTicks: 4 })
    }),
  )

  it.effect("takes back a grant whose reply never reached the gateway", () =>
    Effect.gen(function* () {
      const ledger = yield* UsageLedger
      const { period } = yield* thisMonth
      const accountId = yield* accountWith(100)
      const unanswered = reportOf(accountId, period, { want: 10 })
      yield* ledger.settle([unanswered], [])
      const { leases } = yield* ledger.settle([{ ...unanswered, revision: 2, want: 4 }], [])
      assert.deepInclude(leases[0], { granted: 4, left: 96 })
      assert.deepInclude(yield* monthOf(accountId), { granted: 4 })
    }),
  )

  it.effect.prop(
    "the newest report of a lease determines its size and the largest its usage, in any order and with repetitions",
    [Schema.NonEmptyArray(Schema.Struct({ owed: small, served: small })).check(Schema.isMaxLength(6)), Schema.Int],
    ([steps, seed]) =>
      Effect.gen(function* () {
        const ledger = yield* UsageLedger
        const { day, period } = yield* thisMonth
        const accountId = yield* accountWith(1_000)
        const lease = reportOf(accountId, period)
        let size = 0
        let requests = 0
        const reports = steps.map(({ owed, served }, index): LeaseReport => {
          requests += served
          const report = { ...lease, revision: index + 1, size, owed, lines: [{ day, requests, streamTicks: 0 }] }
          size += owed
          return report
        })
        const landing = yield* Random.shuffle([...reports, ...reports]).pipe(Random.withSeed(seed))
        yield* Effect.forEach(landing, (report) => ledger.settle([report], []), { concurrency: 3 })
        assert.deepInclude(yield* monthOf(accountId), { granted: size, requests })
      }),
    { arbitrary: { runs: 20 } },
  )

  it.effect("applies the current quota of an account, even if more was already granted", () =>
    Effect.gen(function* () {
      const ledger = yield* UsageLedger
      const accounts = yield* Accounts
      const { period } = yield* thisMonth
      const accountId = yield* accountWith(100)
      const want = () => ledger.settle([reportOf(accountId, period, { want: 8 })], [])
      yield* want()
      yield* accounts.update(accountId, "smaller", termsOf("free", { requestsPerMonth: 5 }))
      assert.deepInclude((yield* want()).leases[0], { granted: 0, quota: 5, left: 0 })
      yield* accounts.update(accountId, "larger", termsOf("pro", { requestsPerMonth: 1_000 }))
      assert.deepInclude((yield* want()).leases[0], { granted: 8, quota: 1_000, left: 984 })
    }),
  )

  it.effect("skips reports without an account and settles the rest of the batch", () =>
    Effect.gen(function* () {
      const ledger = yield* UsageLedger
      const { day, now, period } = yield* thisMonth
      const accountId = yield* accountWith(100)
      const unknownAccount = AccountId.make(randomUUID())
      const lost = reportOf(unknownAccount, period, { want: 5, lines: [{ day, requests: 1, streamTicks: 0 }] })
      const kept = reportOf(accountId, period, { want: 5 })
      const { leases } = yield* ledger.settle([lost, kept], [receiptOf(unknownAccount, now), receiptOf(accountId, now)])
      assert.deepStrictEqual(leases, [
        { leaseId: lost.leaseId, granted: 0, quota: 0, left: 0 },
        { leaseId: kept.leaseId, granted: 5, quota: 100, left: 95 },
      ])
      assert.isUndefined(yield* monthOf(unknownAccount))
      assert.strictEqual((yield* ledger.sessions(accountId, period, { limit: 10, offset: 0 })).total, 1)
      assert.strictEqual((yield* ledger.sessions(unknownAccount, period, { limit: 10, offset: 0 })).total, 0)
    }),
  )

  it.effect("grants nothing for a past month but counts its last reports; the next month starts at zero", () =>
    Effect.gen(function* () {
      const clock = yield* Ref.make(Date.UTC(2026, 10, 30, 23, 59, 59, 999))
      const ledger = yield* ledgerAt(clock)
      const accountId = yield* accountWith(80)
      const [november, december] = [Period.make("2026-11"), Period.make("2026-12")]
      const old = reportOf(accountId, november, { want: 10 })
      const early = reportOf(accountId, december, { want: 10 })
      const before = yield* ledger.settle([old, early], [])
      assert.deepStrictEqual(
        before.leases.map(({ granted, left }) => [granted, left]),
        [
          [10, 70],
          [0, 80],
        ],
      )
      assert.deepInclude(yield* monthAt(ledger, accountId), { period: november, granted: 10 })

      yield* Ref.update(clock, (now) => now + 1)
      const lines = [{ day: Day.make("2026-11-30"), requests: 7, streamTicks: 1 }]
      const last = { ...old, revision: 2, size: 10, want: 50, giveBack: 2, lines }
      const after = yield* ledger.settle([last, { ...early, revision: 2 }], [])
      assert.strictEqual(after.now, Date.UTC(2026, 11, 1))
      assert.deepStrictEqual(
        after.leases.map(({ granted, left }) => [granted, left]),
        [
          [0, 72],
          [10, 70],
        ],
      )
      assert.deepInclude(yield* monthAt(ledger, accountId, november), { granted: 8, requests: 7, streamTicks: 1 })
      assert.deepInclude(yield* monthAt(ledger, accountId), { period: december, granted: 10, requests: 0 })
    }),
  )

  it.effect("gateways that open the same months at once in different orders do not deadlock", () =>
    Effect.gen(function* () {
      const ledger = yield* UsageLedger
      const { period } = yield* thisMonth
      const accounts = yield* Effect.replicateEffect(accountWith(1_000), 30)
      const batches = yield* Effect.forEach(
        Array.from({ length: 8 }, (_, seed) => seed),
        (seed) => Random.shuffle(accounts).pipe(Random.withSeed(seed)),
      )
      // Some callers find months that others have already opened.
      const early = batches.slice(0, 4).map((some) => some.slice(0, 15))
      yield* Effect.forEach(
        [...early, ...batches],
        (some) =>
          ledger.settle(
            [...some].map((accountId) => reportOf(accountId, period, { want: 2 })),
            [],
          ),
        { concurrency: "unbounded", discard: true },
      )
      for (const accountId of accounts) {
        const asked = [...early, ...batches].filter((some) => [...some].includes(accountId)).length
        assert.deepInclude(yield* monthOf(accountId), { granted: asked * 2 })
      }
    }),
  )

  it.effect("settles 500 reports and 5,000 receipts in one batch; repeating it changes nothing", () =>
    Effect.gen(function* () {
      const ledger = yield* UsageLedger
      const { day, now, period } = yield* thisMonth
      const accounts = yield* Effect.replicateEffect(accountWith(1_000_000), 50)
      const each = <A>(count: number, make: (accountId: AccountId, index: number) => A) =>
        Array.from({ length: count }, (_, index) => index).flatMap((index) => accounts.map((accountId) => make(accountId, index)))
      const reports = each(10, (accountId, index) =>
        reportOf(accountId, period, { want: 100, lines: [{ day, requests: index, streamTicks: 10 }] }),
      )
      const receipts = each(100, (accountId) => receiptOf(accountId, now, { ticks: 1 }))
      const first = yield* ledger.settle(reports, receipts)
      assert.deepStrictEqual(new Set(first.leases.map(({ granted }) => granted)), new Set([100]))
      yield* ledger.settle(reports, receipts)
      for (const accountId of accounts) {
        assert.deepInclude(yield* monthOf(accountId), { granted: 1_000, requests: 45, streamTicks: 100 })
        assert.deepInclude(yield* ledger.sessions(accountId, period, { limit: 1, offset: 0 }), { total: 100, ticks: 100 })
      }
    }),
  )
}

const monthAt = (ledger: UsageLedger["Service"], accountId: AccountId, period?: Period) =>
  Effect.flatMap(ledger.month(accountId, period), Effect.fromOption)

const small = Schema.Natural.check(Schema.isLessThanOrEqualTo(5))
