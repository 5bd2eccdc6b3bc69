/**
 * What every request and stream costs, counted against the account's month. The hot path takes one from memory; the pump
 * (LedgerPump.ts) fetches more and reports. Who may do what, and how fast, is decided elsewhere (entitlements.ts, RateLimits.ts).
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

/** Requests of one account that may wait for the ledger at once. */
const MAX_WAITING = 1_000

const tooManyWait = ServiceUnavailable.because("too many requests of this account wait to be metered; try again")

export type Refused = QuotaExceeded | ServiceUnavailable

export class Meter extends Context.Service<
  Meter,
  {
    /** False: nothing is counted or refused, whatever is asked. */
    readonly enabled: boolean
    /** Now, in monotonic milliseconds: whoever asks several things of one request looks at the clock once. The default everywhere. */
    readonly moment: () => number
    /** One request of the account, at once; undefined: `acquire` it. What is reserved must be served or released. */
    readonly reserve: (customer: Customer, moment?: number) => Lease | undefined
    /**
     * One as soon as the ledger gives it. Interruption loses nothing while it waits; what it gives back must be served or released, so
     * begin that inside `Effect.uninterruptibleMask`.
     */
    readonly acquire: (customer: Customer) => Effect.Effect<Lease, Refused>
    /** As `acquire`, for callers that are no fiber. Past 1,000 that wait for one account they are refused. */
    readonly wait: (customer: Customer, waiter: Waiter) => void
    /** The same for open streams, of which there are only so many. */
    readonly waitForTick: (customer: Customer, waiter: Waiter) => void
    /** The account itself, for whoever reserves often: good for a second, then to be asked for again. */
    readonly account: (customer: Customer, moment?: number) => AccountMeter
    /** What was reserved has been answered; it counts on the day of `moment`. */
    readonly serve: (lease: Lease, kind: "request" | "tick", moment?: number) => void
    readonly clock: LedgerClock
    /** Says what a stream has cost so far. `charged`: ticks since its last receipt. */
    readonly receipt: (receipt: StreamReceipt, customer: Customer, charged: number) => void
    /** Tells the ledger what was served to the account here. What it cannot be told now it is told later. */
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

/** Without end, and nobody's. */
const unmeteredLease = (clock: LedgerClock): Lease => {
  const nobody = AccountId.make("00000000-0000-4000-8000-000000000000")
  const lease = new Lease("unmetered", nobody, clock.period())
  lease.settled(lease.report("unmetered", 0, 0), Number.POSITIVE_INFINITY)
  return lease
}
