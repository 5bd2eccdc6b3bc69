/** Tests many gateways on one ledger at once, and calls whose caller has timed out. */
import type { PgClient } from "@effect/sql-pg"
import { assert, type Vitest } from "@effect/vitest"
import { Period } from "@matchpoint/domain/metering/periods"
import { Deferred, Effect, Fiber, Ref } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { Accounts } from "../../src/keys/Accounts.ts"
import { UsageLedger } from "../../src/usage/UsageLedger.ts"
import { accountWith, ledgerAt, monthOf, reportOf, thisMonth } from "./usageSamples.ts"

const GATEWAYS = 8
const gateways = Array.from({ length: GATEWAYS }, (_, index) => index)

export const usageRacesContract = (it: Vitest.MethodsNonLive<Accounts | UsageLedger | PgClient.PgClient | SqlClient.SqlClient>) => {
  it.effect("grants exactly the quota in total to gateways that draw concurrently until it is used up", () =>
    Effect.gen(function* () {
      const ledger = yield* UsageLedger
      const { period } = yield* thisMonth
      const quota = 157
      const accountId = yield* accountWith(quota)
      const takeAll = Effect.fnUntraced(function* (want: number) {
        const lease = reportOf(accountId, period)
        let size = 0
        for (let revision = 1; ; revision += 1) {
          const [answer] = (yield* ledger.settle([{ ...lease, revision, size, want }], [])).leases
          if (answer === undefined || answer.granted === 0) return size
          size += answer.granted
        }
      })
      const taken = yield* Effect.forEach(gateways, (index) => takeAll(index + 1), { concurrency: GATEWAYS })
      assert.strictEqual(
        taken.reduce((sum, size) => sum + size, 0),
        quota,
      )
      assert.deepInclude(yield* monthOf(accountId), { granted: quota })
    }),
  )

  it.effect("opens and changes months concurrently, in any order of accounts, without deadlock", () =>
    Effect.gen(function* () {
      const accounts = yield* Effect.replicateEffect(accountWith(10_000), 12)
      const clock = yield* Ref.make(0)
      const ledger = yield* ledgerAt(clock)
      // Each turn opens a new month for some accounts while other accounts change it.
      for (const [turn, period] of ["2031-01", "2031-02", "2031-03"].map((text) => Period.make(text)).entries()) {
        yield* Ref.set(clock, Date.UTC(2031, turn, 1))
        yield* Effect.forEach(
          gateways,
          (index) => {
            const rotated = [...accounts.slice(index), ...accounts.slice(0, index)]
            const mine = (index % 2 === 0 ? rotated : rotated.toReversed()).slice(0, 8 + (index % 5))
            return Effect.forEach([1, 2, 3], () =>
              ledger.settle(
                mine.map((accountId) => reportOf(accountId, period, { want: 1 })),
                [],
              ),
            )
          },
          { concurrency: GATEWAYS },
        )
        const granted = yield* Effect.forEach(accounts, (accountId) =>
          Effect.map(Effect.flatMap(ledger.month(accountId, period), Effect.fromOption), (month) => month.granted),
        )
        const reports = gateways.reduce((sum, index) => sum + 3 * (8 + (index % 5)), 0)
        assert.strictEqual(
          granted.reduce((sum, one) => sum + one, 0),
          reports,
        )
      }
    }),
  )

  it.effect("a call that timed out while another held the month changes nothing, and the lease's next report counts", () =>
    Effect.gen(function* () {
      const ledger = yield* UsageLedger
      const sql = yield* SqlClient.SqlClient
      const { day, period } = yield* thisMonth
      const accountId = yield* accountWith(1_000)
      const first = reportOf(accountId, period, { want: 10 })
      yield* ledger.settle([first], [])
      const held = yield* Deferred.make<void>()
      const release = yield* Deferred.make<void>()
      const holder = yield* sql`SELECT 1 FROM usage_periods WHERE account_id = ${accountId} FOR UPDATE`.pipe(
        Effect.andThen(Deferred.succeed(held, undefined)),
        Effect.andThen(Deferred.await(release)),
        sql.withTransaction,
        Effect.forkChild,
      )
      yield* Deferred.await(held)
      const lines = [{ day, requests: 6, streamTicks: 0 }]
      const second = { ...first, revision: 2, size: 10, want: 20, lines }
      const blocked = yield* Effect.forkChild(Effect.flip(ledger.settle([second], [])))
      yield* TestClock.adjust("1 minute")
      assert.isTrue((yield* Fiber.join(blocked)).isRetryable)
      yield* Deferred.succeed(release, undefined)
      yield* Fiber.join(holder)
      assert.deepInclude(yield* monthOf(accountId), { granted: 10, requests: 0 })
      const third = { ...second, revision: 3, want: 5 }
      assert.deepInclude((yield* ledger.settle([third], [])).leases[0], { granted: 5 })
      assert.deepInclude((yield* ledger.settle([second], [])).leases[0], { granted: 0 })
      assert.deepInclude(yield* monthOf(accountId), { granted: 15, requests: 6 })
    }),
  )

  it.effect("applies the later of two concurrent reports of one lease", () =>
    Effect.gen(function* () {
      const ledger = yield* UsageLedger
      const { period } = yield* thisMonth
      for (let round = 0; round < 10; round += 1) {
        const accountId = yield* accountWith(1_000)
        const first = reportOf(accountId, period, { want: 10 })
        const words = [first, { ...first, revision: 2, want: 7 }]
        yield* Effect.forEach(round % 2 === 0 ? words : words.toReversed(), (report) => ledger.settle([report], []), { concurrency: 2 })
        assert.deepInclude(yield* monthOf(accountId), { granted: 7 })
      }
    }),
  )
}
