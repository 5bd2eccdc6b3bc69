/**
 * Counts every request and every 15 s of streaming (a billing tick) against the monthly quota of the account. In the
 * hot path, requests are taken from a lease (a block of requests reserved for this gateway) in memory. Meanwhile,
 * LedgerPump.ts reserves more requests through the ledger and reports the usage. Permissions are checked in
 * entitlements.ts, and request rates in RateLimits.ts.
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

/** Maximum number of requests of one account that may wait for the ledger at the same time. */
const MAX_WAITING = 1_000

const tooManyWait = ServiceUnavailable.because("too many requests of this account are waiting to be metered; try again")

export type Refused = QuotaExceeded | ServiceUnavailable

export class Meter extends Context.Service<
  Meter,
  {
    /** True if requests are metered. If false, nothing is counted and no request is rejected. */
    readonly enabled: boolean
    /**
     * Returns the current time in milliseconds of the monotonic clock, which is the default value of every `moment`
     * parameter. A caller that needs several methods for the same request can pass one value to all of them, so that
     * the clock is read only once.
     */
    readonly moment: () => number
    /**
     * Reserves one request without waiting. If this returns undefined, call `acquire` instead. A reserved request must
     * later be served or released.
     */
    readonly reserve: (customer: Customer, moment?: number) => Lease | undefined
    /**
     * Reserves one request, and waits for the ledger if necessary. If the wait is interrupted, no request is lost. The
     * reserved request must later be served or released through the returned object, so call this inside
     * `Effect.uninterruptibleMask`.
     */
    readonly acquire: (customer: Customer) => Effect.Effect<Lease, Refused>
    /**
     * Like `acquire`, for callers that do not run in an Effect fiber. At most 1,000 callers per account may wait;
     * additional callers are rejected.
     */
    readonly wait: (customer: Customer, waiter: Waiter) => void
    /**
     * Like `wait`, but for the charges of open streams (one per 15 s). The number of waiting charges is not limited
     * here, because the number of streams is limited elsewhere.
     */
    readonly waitForTick: (customer: Customer, waiter: Waiter) => void
    /**
     * Returns the metering state of the account, for callers that reserve requests often. A caller must not use the
     * returned object for longer than a second; after that, it must call this method again.
     */
    readonly account: (customer: Customer, moment?: number) => AccountMeter
    /**
     * Records that a reserved request was used, either by an API request or by 15 s of streaming (a billing tick). The
     * usage is counted for the day of `moment`.
     */
    readonly serve: (lease: Lease, kind: "request" | "tick", moment?: number) => void
    readonly clock: LedgerClock
    /**
     * Stores the receipt of a stream, that is, the record of what the stream has cost so far. `charged` is the number
     * of charges (one per 15 s of streaming) since the previous receipt of this stream.
     */
    readonly receipt: (receipt: StreamReceipt, customer: Customer, charged: number) => void
    /**
     * Reports the account's usage at this gateway to the ledger at once. Usage that cannot be reported now is reported
     * later.
     */
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

/**
 * Returns a lease (block of reserved requests) that never runs out and belongs to no account, for installations without
 * metering.
 */
const unmeteredLease = (clock: LedgerClock): Lease => {
  const noAccount = AccountId.make("00000000-0000-4000-8000-000000000000")
  const lease = new Lease("unmetered", noAccount, clock.period())
  lease.settled(lease.report("unmetered", 0, 0), Number.POSITIVE_INFINITY)
  return lease
}
