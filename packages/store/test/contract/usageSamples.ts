/** Accounts, reports and receipts for the ledger's suites, and a ledger whose time the test sets. */
import { randomUUID } from "node:crypto"
import { type AccountId, ApiKeyId, termsOf } from "@matchpoint/domain/accounts"
import type { LeaseReport, StreamReceipt } from "@matchpoint/domain/metering/leases"
import { Day, type Period, periodOf } from "@matchpoint/domain/metering/periods"
import { Effect, Layer, Option, Ref } from "effect"
import { Accounts } from "../../src/keys/Accounts.ts"
import { LedgerTime } from "../../src/usage/LedgerTime.ts"
import { UsageLedger } from "../../src/usage/UsageLedger.ts"

export const accountWith = (requestsPerMonth: number) =>
  Effect.map(
    Effect.flatMap(Accounts, (accounts) => accounts.create("metered", termsOf("pro", { requestsPerMonth }))),
    ({ accountId }) => accountId,
  )

/** Returns the first report of a new lease. `more`: fields to override. */
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

/** Returns the receipt of a stream that was just opened, at `openedAt` (epoch ms). */
export const receiptOf = (accountId: AccountId, openedAt: number, more: Partial<StreamReceipt> = {}): StreamReceipt => ({
  sessionId: randomUUID(),
  accountId,
  keyId: ApiKeyId.make(randomUUID()),
  period: periodOf(openedAt),
  channel: "sse",
  openedAt,
  ticks: 1,
  lastTickAt: openedAt,
  closedAt: null,
  ...more,
})

/** The current month of the ledger, and its first day. */
export const thisMonth = Effect.gen(function* () {
  const { now } = yield* Effect.flatMap(UsageLedger, (ledger) => ledger.settle([], []))
  const period = periodOf(now)
  return { now, period, day: Day.make(`${period}-01`) }
})

/** A ledger on the same database that takes its time from `clock`, epoch ms. */
export const ledgerAt = (clock: Ref.Ref<number>) =>
  Effect.provide(UsageLedger, Layer.fresh(UsageLedger.layer).pipe(Layer.provide(Layer.succeed(LedgerTime, Ref.get(clock)))))

export const monthOf = (accountId: AccountId, period?: Period) =>
  Effect.flatMap(UsageLedger, (ledger) => Effect.map(ledger.month(accountId, period), Option.getOrUndefined))
