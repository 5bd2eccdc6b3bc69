/** Contract tests for every ledger, run on each driver. */
import { assert, type Vitest } from "@effect/vitest"
import { type AccountId, ApiKeyId, termsOf } from "@matchpoint/domain/accounts"
import type { LeaseReport, StreamReceipt } from "@matchpoint/domain/metering/leases"
import { Day, Period } from "@matchpoint/domain/metering/periods"
import { Effect, Random, Schema } from "effect"
import { LedgerBook } from "../src/LedgerMemory.ts"
import { uuidOf } from "../src/uuidOf.ts"
import { Books } from "./Books.ts"

const NOVEMBER = Period.make("2026-11")
const now = Date.UTC(2026, 10, 22, 12)

const newId = Effect.map(Random.Random, uuidOf)

const account = (quota: number) =>
  Effect.flatMap(Books, (books) => {
    books.setTime(() => now)
    return books.open(termsOf("pro", { requestsPerMonth: quota }))
  })

const reportOf = (accountId: AccountId, leaseId: string, more: Partial<LeaseReport>): LeaseReport => ({
  leaseId,
  accountId,
  period: NOVEMBER,
  gatewayId: leaseId,
  revision: 1,
  size: 0,
  want: 0,
  giveBack: 0,
  owed: 0,
  lines: [],
  ...more,
})

/** Sends one report and returns the granted requests. */
const granted = (report: LeaseReport) =>
  Effect.gen(function* () {
    const books = yield* Books
    const { leases } = yield* books.settle([report], [])
    return leases.find(({ leaseId }) => leaseId === report.leaseId)?.granted ?? 0
  })

const givenOf = (accountId: AccountId) =>
  Effect.flatMap(Books, (books) => Effect.map(books.months(accountId), (months) => months.get(NOVEMBER)?.given ?? 0))

export const ledgerSuite = (it: Vitest.MethodsNonLive<Books>) => {
  it.effect("returns the time without a report", () =>
    Effect.gen(function* () {
      const books = yield* Books
      books.setTime(() => now)
      assert.deepStrictEqual(yield* books.settle([], []), { now, leases: [] })
    }),
  )

  it.effect("grants at most an eighth of the rest, at least one, and never more than the quota", () =>
    Effect.gen(function* () {
      const accountId = yield* account(80)
      const leaseId = yield* newId
      assert.strictEqual(yield* granted(reportOf(accountId, leaseId, { want: 1_000 })), 10)
      let size = 10
      for (let revision = 2; size < 80; revision++) {
        const more = yield* granted(reportOf(accountId, leaseId, { revision, size, want: 1_000 }))
        assert.isAbove(more, 0)
        size += more
      }
      assert.strictEqual(size, 80)
      assert.strictEqual(yield* granted(reportOf(accountId, yield* newId, { want: 1 })), 0)
      assert.strictEqual(yield* givenOf(accountId), 80)
    }),
  )

  it.effect("ignores a repeated or late report, except for its lines", () =>
    Effect.gen(function* () {
      const books = yield* Books
      const accountId = yield* account(100)
      const leaseId = yield* newId
      const first = reportOf(accountId, leaseId, { want: 5 })
      assert.strictEqual(yield* granted(first), 5)
      assert.strictEqual(yield* granted(first), 0)
      assert.strictEqual(yield* givenOf(accountId), 5)
      // The gateway never learned of the five granted requests, so it reports size 0 and the five go back.
      assert.strictEqual(yield* granted(reportOf(accountId, leaseId, { revision: 3, size: 0, want: 2 })), 2)
      assert.strictEqual(yield* givenOf(accountId), 2)
      const line = { day: Day.make("2026-11-22"), requests: 2, streamTicks: 0 }
      assert.strictEqual(yield* granted(reportOf(accountId, leaseId, { revision: 2, size: 0, want: 50, lines: [line] })), 0)
      const months = yield* books.months(accountId)
      assert.deepStrictEqual(months.get(NOVEMBER), { given: 2, requests: 2, ticks: 0, receiptTicks: 0 })
    }),
  )

  it.effect("takes requests back, and counts owed requests even beyond the quota", () =>
    Effect.gen(function* () {
      const accountId = yield* account(10)
      const leaseId = yield* newId
      assert.strictEqual(yield* granted(reportOf(accountId, leaseId, { want: 8 })), 1)
      yield* granted(reportOf(accountId, leaseId, { revision: 2, size: 1, giveBack: 1 }))
      assert.strictEqual(yield* givenOf(accountId), 0)
      yield* granted(reportOf(accountId, leaseId, { revision: 3, size: 0, owed: 12 }))
      assert.strictEqual(yield* givenOf(accountId), 12)
      assert.strictEqual(yield* granted(reportOf(accountId, yield* newId, { want: 1 })), 0)
    }),
  )

  it.effect("never decreases days and receipts, and stores bill and receipts of an exchange together", () =>
    Effect.gen(function* () {
      const books = yield* Books
      const accountId = yield* account(100)
      const leaseId = yield* newId
      const sessionId = yield* newId
      const receipt = (ticks: number, closedAt: number | null): StreamReceipt => ({
        sessionId,
        accountId,
        keyId: ApiKeyId.make(accountId),
        period: NOVEMBER,
        channel: "sse",
        openedAt: now,
        ticks,
        lastTickAt: now,
        closedAt,
      })
      const said = (revision: number, ticks: number, closedAt: number | null) =>
        books.settle(
          [reportOf(accountId, leaseId, { revision, lines: [{ day: Day.make("2026-11-22"), requests: 0, streamTicks: ticks }] })],
          [receipt(ticks, closedAt)],
        )
      yield* said(1, 3, null)
      yield* said(2, 7, now)
      yield* said(3, 5, null)
      assert.deepInclude((yield* books.months(accountId)).get(NOVEMBER), { ticks: 7, receiptTicks: 7 })
    }),
  )

  it.effect("grants nothing for a past month, but accepts its last reports", () =>
    Effect.gen(function* () {
      const books = yield* Books
      const accountId = yield* account(100)
      const leaseId = yield* newId
      assert.strictEqual(yield* granted(reportOf(accountId, leaseId, { want: 4 })), 4)
      books.setTime(() => Date.UTC(2026, 11, 1))
      const lines = [{ day: Day.make("2026-11-30"), requests: 3, streamTicks: 0 }]
      assert.strictEqual(yield* granted(reportOf(accountId, leaseId, { revision: 2, size: 4, want: 4, giveBack: 1, lines })), 0)
      assert.deepInclude((yield* books.months(accountId)).get(NOVEMBER), { given: 3, requests: 3 })
    }),
  )

  it.effect("applies the current quota", () =>
    Effect.gen(function* () {
      const books = yield* Books
      const accountId = yield* account(1)
      const leaseId = yield* newId
      assert.strictEqual(yield* granted(reportOf(accountId, leaseId, { want: 2 })), 1)
      yield* books.change(accountId, termsOf("pro", { requestsPerMonth: 20 }))
      const { leases } = yield* books.settle([reportOf(accountId, leaseId, { revision: 2, size: 1, want: 2 })], [])
      assert.deepStrictEqual(leases, [{ leaseId, granted: 2, quota: 20, left: 17 }])
    }),
  )

  it.effect("grants concurrent gateways exactly the quota in total", () =>
    Effect.gen(function* () {
      const accountId = yield* account(60)
      const taken = yield* Effect.forEach(
        Array.from({ length: 6 }),
        () =>
          Effect.gen(function* () {
            const leaseId = yield* newId
            let size = 0
            for (let revision = 1; ; revision++) {
              const more = yield* granted(reportOf(accountId, leaseId, { revision, size, want: 7 }))
              if (more === 0) return size
              size += more
            }
          }),
        { concurrency: 6 },
      )
      assert.strictEqual(
        taken.reduce((sum, one) => sum + one, 0),
        60,
      )
    }),
  )

  it.effect.prop(
    "responds and stores like the domain's model for any reports in any batches",
    [Schema.NonEmptyArray(Schema.NonEmptyArray(Said).check(Schema.isMaxLength(6))).check(Schema.isMaxLength(6)), Schema.Natural],
    ([batches, quota]) =>
      Effect.gen(function* () {
        const books = yield* Books
        const owners = [yield* account(quota), yield* account(100)]
        const ids = yield* Effect.replicateEffect(newId, LEASES)
        const model = new LedgerBook((accountId) => (accountId === owners[0] ? quota : 100))
        for (const batch of batches) {
          // Each lease has one report per batch, always for the same account and month.
          const reports = [...new Map(batch.map((said) => [said.lease, said])).values()].map(({ lease, served, size, back, ...more }) =>
            reportOf(owners[lease % 2] ?? raise(), ids[lease] ?? raise(), {
              ...more,
              period: lease < 2 ? OCTOBER : NOVEMBER,
              size: size + back,
              giveBack: back,
              lines: served === 0 ? [] : [{ day: Day.make("2026-11-22"), requests: served, streamTicks: size }],
            }),
          )
          assert.deepStrictEqual(yield* books.settle(reports, []), model.settle(reports, [], now))
        }
        for (const accountId of owners) {
          const months = yield* books.months(accountId)
          for (const [period, { given, requests, ticks }] of months) {
            assert.strictEqual(given, model.given.get(`${accountId} ${period}`))
            assert.deepStrictEqual({ requests, streamTicks: ticks }, model.bill(accountId, period))
          }
          const leases = new Map((yield* books.leases(accountId)).map(({ leaseId, size }) => [leaseId, size]))
          for (const leaseId of ids) {
            const known = model.leases.get(leaseId)
            if (known?.accountId === accountId) assert.strictEqual(leases.get(leaseId), known.size)
          }
        }
      }),
    { arbitrary: { runs: 60 } },
  )
}

const OCTOBER = Period.make("2026-10")
const LEASES = 6

const upTo = (most: number) => Schema.Natural.check(Schema.isLessThanOrEqualTo(most))

/** A report with small numbers, so that revisions repeat, leases collide and quotas are used up. */
const Said = Schema.Struct({
  lease: upTo(LEASES - 1),
  revision: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 6 })),
  size: upTo(30),
  back: upTo(10),
  want: upTo(200),
  owed: upTo(20),
  served: upTo(50),
})

const raise = (): never => {
  throw new Error("There are more leases than ids")
}
