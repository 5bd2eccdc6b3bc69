/**
 * Counts requests and streaming against the monthly quota of the account. A lease is a block of requests that the
 * ledger has reserved for this gateway; requests are taken from it in memory. A tick is the charge for 15 s of
 * streaming. While the ledger does not respond, paid plans are served in grace, without a reserved request.
 * LedgerPump.ts renews leases and reports usage; entitlements.ts checks permissions, and RateLimits.ts rates.
 */
import { type QuotaExceeded, ServiceUnavailable } from "@matchpoint/contracts/http/errors"
import { AccountId, type Customer } from "@matchpoint/domain/accounts"
import type { StreamReceipt } from "@matchpoint/domain/metering/leases"
import { Context, Effect, Layer } from "effect"
import { AccountMeter, type Waiter } from "./AccountMeter.ts"
import { Lease } from "./Lease.ts"
import type { LedgerClock } from "./LedgerClock.ts"
import { makeLedgerPump } from "./LedgerPump.ts"
import { MeteringConfig } from "./MeteringConfig.ts"

/** Maximum number of waiting callers per account. */
const MAX_WAITING = 1_000

const tooManyWait = ServiceUnavailable.because("too many requests of this account are waiting to be metered; try again")

export type Refused = QuotaExceeded | ServiceUnavailable

export class Meter extends Context.Service<
  Meter,
  {
    /** If false, nothing is counted and no request is rejected. */
    readonly enabled: boolean
    /**
     * Monotonic milliseconds, the default of each `moment`. Pass one value to several methods to read the clock once.
     */
    readonly moment: () => number
    /** If it returns undefined, call `acquire`. A reserved request must later be served or released. */
    readonly reserve: (customer: Customer, moment?: number) => Lease | undefined
    /**
     * May wait for the ledger. An interrupted wait loses no request. The request must later be served or released, so
     * call this inside `Effect.uninterruptibleMask`.
     */
    readonly acquire: (customer: Customer) => Effect.Effect<Lease, Refused>
    /** Like `acquire`, outside of a fiber. At most 1,000 callers per account may wait; more are rejected. */
    readonly wait: (customer: Customer, waiter: Waiter) => void
    /** Like `wait`, for ticks. Their number is not limited here, because the number of streams is limited elsewhere. */
    readonly waitForTick: (customer: Customer, waiter: Waiter) => void
    /** The state of the account, for callers that reserve often. It must be requested again after a second. */
    readonly account: (customer: Customer, moment?: number) => AccountMeter
    /** The usage counts for the day of `moment`. */
    readonly serve: (lease: Lease, kind: "request" | "tick", moment?: number) => void
    readonly clock: LedgerClock
    /** `charged` is the number of ticks since the previous receipt of this stream. */
    readonly receipt: (receipt: StreamReceipt, customer: Customer, charged: number) => void
    /** Reports at once. What cannot be reported now is reported later. */
    readonly flush: (accountId: AccountId) => Effect.Effect<void>
  }
>()("@matchpoint/metering/Meter") {
  static readonly layer = Layer.effect(
    Meter,
    Effect.gen(function* () {
      const { enabled } = yield* MeteringConfig
      const accounts = new Map<AccountId, AccountMeter>()
      const { flush, host } = yield* makeLedgerPump(accounts)
      const { clock, monotonic } = host

      const meterOf = (customer: Customer, moment = monotonic()): AccountMeter => {
        const known = accounts.get(customer.accountId)
        if (known !== undefined) {
          known.markUsed(customer, moment)
          return known
        }
        const meter = new AccountMeter(customer, host)
        accounts.set(customer.accountId, meter)
        return meter
      }

      const wait = (customer: Customer, waiter: Waiter): void => {
        const meter = meterOf(customer)
        if (meter.waiting < MAX_WAITING) meter.wait(waiter)
        else waiter.refused(tooManyWait)
      }

      const acquire = (customer: Customer) =>
        Effect.callback<Lease, Refused>((resume) => {
          const waiter: Waiter = {
            served: (lease) => resume(Effect.succeed(lease)),
            refused: (error) => resume(Effect.fail(error)),
          }
          wait(customer, waiter)
          return Effect.sync(() => meterOf(customer).leave(waiter))
        })

      const metered = {
        enabled,
        moment: monotonic,
        account: meterOf,
        reserve: (customer: Customer, moment = monotonic()) => meterOf(customer, moment).reserve(moment),
        acquire,
        wait,
        waitForTick: (customer: Customer, waiter: Waiter) => meterOf(customer).wait(waiter),
        serve: (lease: Lease, kind: "request" | "tick", moment = monotonic()) => lease.serve(kind, clock.day(clock.now(moment))),
        clock,
        receipt: (receipt: StreamReceipt, customer: Customer, charged: number) => meterOf(customer).receipt(receipt, charged),
        flush: (accountId: AccountId) =>
          Effect.suspend(() => {
            const account = accounts.get(accountId)
            return account === undefined ? Effect.void : flush(account)
          }),
      }
      if (enabled) return Meter.of(metered)
      const unmetered = unmeteredLease(clock)
      return Meter.of({
        ...metered,
        reserve: () => unmetered,
        acquire: () => Effect.succeed(unmetered),
        wait: (_customer, waiter) => waiter.served(unmetered),
        waitForTick: (_customer, waiter) => waiter.served(unmetered),
        serve: (lease) => lease.release(),
        receipt: () => {},
        flush: () => Effect.void,
      })
    }),
  )
}

/** Never runs out and belongs to no account, for installations without metering. */
const unmeteredLease = (clock: LedgerClock): Lease => {
  const noAccount = AccountId.make("00000000-0000-4000-8000-000000000000")
  const lease = new Lease("unmetered", noAccount, clock.period())
  lease.settled(lease.report("unmetered", 0, 0), Number.POSITIVE_INFINITY)
  return lease
}
