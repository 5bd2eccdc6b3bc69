/**
 * Counts every request and stream tick against the monthly quota of its account. The hot path takes one from memory;
 * the pump (LedgerPump.ts) fetches more and reports usage. Permissions are decided in entitlements.ts, request rates in
 * RateLimits.ts.
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

/** Maximum number of requests of one account that wait for the ledger. */
const MAX_WAITING = 1_000

const tooManyWait = ServiceUnavailable.because("too many requests of this account are waiting to be metered; try again")

export type Refused = QuotaExceeded | ServiceUnavailable

export class Meter extends Context.Service<
  Meter,
  {
    /** If false, nothing is counted or rejected. */
    readonly enabled: boolean
    /**
     * The current time in monotonic milliseconds, the default for every `moment`. A caller with several questions about
     * one request reads the clock only once.
     */
    readonly moment: () => number
    /**
     * Reserves one request at once. If it returns undefined, call `acquire`. A reserved request must be served or
     * released.
     */
    readonly reserve: (customer: Customer, moment?: number) => Lease | undefined
    /**
     * Reserves one request, and waits for the ledger if necessary. Interrupting the wait loses nothing. The returned
     * lease must be served or released, so call this inside `Effect.uninterruptibleMask`.
     */
    readonly acquire: (customer: Customer) => Effect.Effect<Lease, Refused>
    /**
     * Like `acquire`, for callers that are not fibers. At most 1,000 callers may wait per account; further ones are
     * rejected.
     */
    readonly wait: (customer: Customer, waiter: Waiter) => void
    /** Like `wait`, for ticks of open streams. It has no limit of its own, because the number of streams is limited. */
    readonly waitForTick: (customer: Customer, waiter: Waiter) => void
    /** Returns the account's meter, for callers that reserve often. They must ask for it again after a second. */
    readonly account: (customer: Customer, moment?: number) => AccountMeter
    /** Counts a reserved request or tick as served, on the day of `moment`. */
    readonly serve: (lease: Lease, kind: "request" | "tick", moment?: number) => void
    readonly clock: LedgerClock
    /** Stores the current cost of a stream. `charged`: ticks since its previous receipt. */
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
          known.usedBy(customer, moment)
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

/** An unlimited lease that belongs to no account. */
const unmeteredLease = (clock: LedgerClock): Lease => {
  const nobody = AccountId.make("00000000-0000-4000-8000-000000000000")
  const lease = new Lease("unmetered", nobody, clock.period())
  lease.settled(lease.report("unmetered", 0, 0), Number.POSITIVE_INFINITY)
  return lease
}
