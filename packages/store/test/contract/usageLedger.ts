/** The ledger of usage on one driver: what it gives out, what it bills, and that neither depends on when or how often it is told. */
import { randomUUID } from "node:crypto"
import { assert, type Vitest } from "@effect/vitest"
import { type AccountId, termsOf } from "@matchpoint/domain/accounts"
import type { LeaseReport } from "@matchpoint/domain/metering/leases"
import { Day, type Period, periodOf } from "@matchpoint/domain/metering/periods"
import { Effect, Option } from "effect"
import type { SqlClient } from "effect/sql"
import { Accounts } from "../../src/Accounts.ts"
import { UsageLedger } from "../../src/UsageLedger.ts"

export const accountWith = (requestsPerMonth: number) =>
  Effect.flatMap(Accounts, (accounts) => accounts.create("metered", termsOf("pro", { requestsPerMonth })))

export const reportOf = (accountId: AccountId, period: Period, more: Partial<LeaseReport> = {}): LeaseReport => ({
  leaseId: randomUUID(),
  accountId,
  period,
  gatewayId: randomUUID(),
  revision: 1,
  size: 0,
  want: 0,
  giveBack: 0,
  owed: 0,
  lines: [],
  ...more,
})

/** The current month and a day of it, by the ledger. */
export const today = Effect.gen(function* () {
  const ledger = yield* UsageLedger
  const { now } = yield* ledger.settle([], [])
  const period = periodOf(now)
  return { now, period, day: Day.make(`${period}-01`) }
})

export const usageLedgerContract = (it: Vitest.MethodsNonLive<Accounts | UsageLedger | SqlClient.SqlClient>) => {
  it.effect("tells the time when there is nothing to settle", () =>
    Effect.gen(function* () {
      const ledger = yield* UsageLedger
      const { leases, now } = yield* ledger.settle([], [])
      assert.deepStrictEqual(leases, [])
      assert.isBelow(Math.abs(now - Date.now()), 60_000)
    }),
  )

  it.effect("gives out what is wanted, an eighth of the rest at most, and takes back what is not needed", () =>
    Effect.gen(function* () {
      const ledger = yield* UsageLedger
      const { period } = yield* today
      const { accountId } = yield* accountWith(1_000)
      const first = reportOf(accountId, period, { want: 50 })
      const taken = yield* ledger.settle([first], [])
      assert.deepStrictEqual(taken.leases, [{ leaseId: first.leaseId, granted: 50, quota: 1_000, left: 950 }])
      const second = { ...first, revision: 2, size: 50, want: 500 }
      const more = yield* ledger.settle([second], [])
      assert.deepStrictEqual(more.leases, [{ leaseId: first.leaseId, granted: 118, quota: 1_000, left: 832 }])
      const last = { ...first, revision: 3, size: 168, want: 0, giveBack: 160 }
      const given = yield* ledger.settle([last], [])
      assert.deepStrictEqual(given.leases, [{ leaseId: first.leaseId, granted: 0, quota: 1_000, left: 992 }])
      const month = yield* ledger.month(accountId, undefined)
      assert.deepStrictEqual(month, Option.some({ period, quota: 1_000, granted: 8, requests: 0, streamTicks: 0, misplaced: 0 }))
    }),
  )
}
