/** Fixtures for tests of a single meter: a customer, and a ledger in memory whose connection can be cut. */
import { AccountId, ApiKeyId, type Customer, termsOf } from "@matchpoint/domain/accounts"
import type { SettleAnswer } from "@matchpoint/domain/metering/leases"
import type { Plan } from "@matchpoint/domain/plans"
import { Clock, Context, Effect, Layer } from "effect"
import { Ledger, LedgerError } from "../src/Ledger.ts"
import { LedgerBook } from "../src/LedgerMemory.ts"

/** 2026-11-30T23:00:00Z, one hour before the end of a month. */
export const LATE_IN_MONTH = Date.UTC(2026, 10, 30, 23)

export const customerOf = (plan: Plan, requestsPerMonth: number, requestsPerSecond = 1_000): Customer => ({
  accountId: AccountId.make("00000000-0000-4000-8000-00000000000a"),
  keyId: ApiKeyId.make("00000000-0000-4000-8000-00000000000b"),
  ...termsOf(plan, { requestsPerMonth, requestsPerSecond }),
})

type Line = "up" | "refuses" | "silent" | "loses answers"

/** A ledger in memory and the state of the connection to it. */
export class TestLedger extends Context.Service<
  TestLedger,
  {
    readonly book: LedgerBook
    quota: number
    line: Line
    /** Number of exchanges requested. */
    asked: number
    /** Milliseconds of delay per receipt. */
    msPerReceipt: number
  }
>()("@matchpoint/metering/test/fixtures/TestLedger") {
  static readonly layer = (quota: number, line: Line = "up") =>
    Layer.effectContext(
      Effect.sync(() => {
        const state: TestLedger["Service"] = { book: new LedgerBook(() => state.quota), quota, line, asked: 0, msPerReceipt: 0 }
        const ledger = Ledger.of({
          settle: (leases, receipts): Effect.Effect<SettleAnswer, LedgerError> =>
            Effect.suspend(() => {
              state.asked += 1
              if (state.line === "refuses") return Effect.fail(new LedgerError({ cause: "refused" }))
              if (state.line === "silent") return Effect.never
              const answer = Effect.map(Clock.currentTimeMillis, (now) => state.book.settle(leases, receipts, now))
              if (state.msPerReceipt > 0) return Effect.delay(answer, receipts.length * state.msPerReceipt)
              return state.line === "up" ? answer : Effect.andThen(answer, Effect.fail(new LedgerError({ cause: "lost" })))
            }),
        })
        return Context.make(TestLedger, state).pipe(Context.add(Ledger, ledger))
      }),
    )
}
