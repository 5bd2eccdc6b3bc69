/** Tests what customers read about their usage: the month's bill, its days, and the receipts of their streams. */
import { randomUUID } from "node:crypto"
import type { PgClient } from "@effect/sql-pg"
import { assert, type Vitest } from "@effect/vitest"
import { AccountId, ApiKeyId } from "@matchpoint/domain/accounts"
import { Day, Period } from "@matchpoint/domain/metering/periods"
import { Effect, Option, Ref } from "effect"
import type { Accounts } from "../../src/keys/Accounts.ts"
import { UsageLedger } from "../../src/usage/UsageLedger.ts"
import { accountWith, ledgerAt, receiptOf, reportOf } from "./usageSamples.ts"

const november = Period.make("2026-11")
const december = Period.make("2026-12")
const start = Date.UTC(2026, 10, 22, 12)

export const usageReadsContract = (it: Vitest.MethodsNonLive<Accounts | UsageLedger | PgClient.PgClient>) => {
  it.effect("reports grants as misplaced after a gateway was silent for a minute, until it reports again", () =>
    Effect.gen(function* () {
      const clock = yield* Ref.make(start)
      const ledger = yield* ledgerAt(clock)
      const accountId = yield* accountWith(1_000)
      const misplaced = Effect.map(Effect.flatMap(ledger.month(accountId, november), Effect.fromOption), (month) => month.misplaced)
      const day = Day.make("2026-11-22")
      const dead = reportOf(accountId, november, { want: 100, lines: [{ day, requests: 20, streamTicks: 5 }] })
      const alive = reportOf(accountId, november, { want: 50 })
      const beyond = reportOf(accountId, november, { owed: 3, lines: [{ day, requests: 4, streamTicks: 0 }] })
      yield* ledger.settle([dead, alive, beyond], [])
      yield* Ref.set(clock, start + 60_000)
      assert.strictEqual(yield* misplaced, 0)
      yield* ledger.settle([{ ...alive, revision: 2, size: 50, want: 0 }], [])
      yield* Ref.set(clock, start + 60_001)
      assert.strictEqual(yield* misplaced, 75)
      yield* ledger.settle([{ ...dead, revision: 2, size: 100, want: 0, giveBack: 70 }], [])
      assert.strictEqual(yield* misplaced, 0)
    }),
  )

  it.effect("returns a month without usage for an account, and none for an unknown account", () =>
    Effect.gen(function* () {
      const ledger = yield* UsageLedger
      const accountId = yield* accountWith(1_000)
      const nothing = { quota: 1_000, granted: 0, requests: 0, streamTicks: 0, misplaced: 0 }
      assert.deepStrictEqual(yield* ledger.month(accountId, november), Option.some({ period: november, ...nothing }))
      assert.isTrue(Option.isNone(yield* ledger.month(AccountId.make(randomUUID()), undefined)))
    }),
  )

  it.effect("sums days over all gateways, newest first, across months, up to the limit", () =>
    Effect.gen(function* () {
      const ledger = yield* UsageLedger
      const [accountId, other] = [yield* accountWith(1_000), yield* accountWith(1_000)]
      const line = (day: string, requests: number, streamTicks: number) => ({ day: Day.make(day), requests, streamTicks })
      yield* ledger.settle(
        [
          reportOf(accountId, november, { lines: [line("2026-11-29", 1, 0), line("2026-11-30", 2, 3)] }),
          reportOf(accountId, november, { lines: [line("2026-11-30", 10, 1)] }),
          reportOf(accountId, december, { lines: [line("2026-12-01", 5, 5)] }),
          reportOf(other, december, { lines: [line("2026-12-01", 100, 100)] }),
        ],
        [],
      )
      const days = [line("2026-12-01", 5, 5), line("2026-11-30", 12, 4), line("2026-11-29", 1, 0)]
      assert.deepStrictEqual(yield* ledger.days(accountId, 31), days)
      assert.deepStrictEqual(yield* ledger.days(accountId, 2), days.slice(0, 2))
      assert.deepStrictEqual(yield* ledger.days(AccountId.make(randomUUID()), 31), [])
    }),
  )

  it.effect("receipts never decrease: ticks and times only grow, and closed streams stay closed", () =>
    Effect.gen(function* () {
      const ledger = yield* UsageLedger
      const accountId = yield* accountWith(1_000)
      const opened = receiptOf(accountId, start)
      const grown = { ...opened, ticks: 5, lastTickAt: start + 60_000 }
      const closed = { ...grown, closedAt: start + 61_000 }
      for (const receipt of [opened, grown, opened, closed, opened, grown]) yield* ledger.settle([], [receipt])
      const { channel, openedAt, sessionId } = opened
      const keyId = ApiKeyId.make(opened.keyId)
      assert.deepStrictEqual(yield* ledger.session(accountId, sessionId), [
        { period: november, sessionId, keyId, channel, openedAt, ticks: 5, lastTickAt: start + 60_000, closedAt: start + 61_000 },
      ])
    }),
  )

  it.effect("pages through the streams of a month, newest first, with the total of all pages", () =>
    Effect.gen(function* () {
      const ledger = yield* UsageLedger
      const accountId = yield* accountWith(1_000)
      const receipts = [1, 2, 3, 4, 5].map((tick) => receiptOf(accountId, start + tick * 1_000, { ticks: tick }))
      yield* ledger.settle([], receipts)
      const newestFirst = receipts.map(({ sessionId }) => sessionId).toReversed()
      const page = Effect.fnUntraced(function* (limit: number, offset: number) {
        const { sessions, ticks, total } = yield* ledger.sessions(accountId, november, { limit, offset })
        assert.deepStrictEqual([total, ticks], [5, 15])
        return sessions.map(({ sessionId }) => sessionId)
      })
      assert.deepStrictEqual(yield* page(2, 0), newestFirst.slice(0, 2))
      assert.deepStrictEqual(yield* page(2, 4), newestFirst.slice(4))
      assert.deepStrictEqual(yield* page(2, 6), [])
      assert.deepStrictEqual(yield* ledger.sessions(accountId, december, { limit: 2, offset: 0 }), { sessions: [], total: 0, ticks: 0 })
    }),
  )

  it.effect("returns a stream by month, and only to its own account", () =>
    Effect.gen(function* () {
      const ledger = yield* UsageLedger
      const [accountId, other] = [yield* accountWith(1_000), yield* accountWith(1_000)]
      const first = receiptOf(accountId, start, { ticks: 3, channel: "websocket" })
      yield* ledger.settle([], [{ ...first, period: december, ticks: 4 }, first])
      const months = yield* ledger.session(accountId, first.sessionId)
      assert.deepStrictEqual(
        months.map(({ period, ticks }) => [period, ticks]),
        [
          [november, 3],
          [december, 4],
        ],
      )
      assert.deepStrictEqual(yield* ledger.session(other, first.sessionId), [])
      for (const strange of [randomUUID(), "", "'; DROP TABLE accounts", "\0"]) {
        assert.deepStrictEqual(yield* ledger.session(accountId, strange), [])
      }
    }),
  )
}
