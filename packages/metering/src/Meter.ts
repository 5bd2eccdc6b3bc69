/**
 * What every request and stream costs, counted against the account's month. The hot path takes one from memory; a pump carries what the
 * accounts want and have served to the ledger, one exchange at a time for all of them together. Who may do what, and how fast, is
 * decided elsewhere (entitlements.ts, RateLimits.ts).
 */
import type { QuotaExceeded, ServiceUnavailable } from "@matchpoint/contracts/http/errors"
import type { AccountId, Customer } from "@matchpoint/domain/accounts"
import type { LeaseReport, StreamReceipt } from "@matchpoint/domain/metering/leases"
import { Clock, Context, Duration, Effect, Latch, Layer, Random, Semaphore } from "effect"
import { AccountMeter, type MeterHost, type Waiter } from "./AccountMeter.ts"
import type { Lease } from "./Lease.ts"
import { Ledger } from "./Ledger.ts"
import { LedgerClock } from "./LedgerClock.ts"
import { MeteringConfig } from "./MeteringConfig.ts"
import { uuidOf } from "./uuidOf.ts"

/** An account that has neither streams nor requests is forgotten after this. */
const FORGET_AFTER_MS = 300_000
/** What is still unsaid when the process ends has this long. */
const LAST_WORD = "3 seconds"

export type Refused = QuotaExceeded | ServiceUnavailable

/** Where an account's month stands. */
export interface Standing {
  readonly quota: number
  readonly remaining: number
  /** Until the next month. */
  readonly resetSeconds: number
}

export class Meter extends Context.Service<
  Meter,
  {
    readonly enabled: boolean
    /** One request of the account, at once; undefined: `acquire` it. What is reserved must be served or released. */
    readonly reserve: (customer: Customer) => Lease | undefined
    readonly acquire: (customer: Customer) => Effect.Effect<Lease, Refused>
    /** As `acquire`, for callers that are no fiber. */
    readonly wait: (customer: Customer, waiter: Waiter) => void
    /** What was reserved has been answered. */
    readonly serve: (lease: Lease, kind: "request" | "tick") => void
    readonly standing: (customer: Customer) => Standing
    readonly clock: LedgerClock
    /** Says what a stream has cost so far. */
    readonly receipt: (receipt: StreamReceipt, customer: Customer) => void
    /** Tells the ledger what was served to the account here. What it cannot be told now it is told later. */
    readonly flush: (accountId: AccountId) => Effect.Effect<void>
  }
>()("@matchpoint/metering/Meter") {
  static readonly layer = Layer.effect(
    Meter,
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const settings = yield* MeteringConfig
      const clock = yield* Clock.Clock
      const random = yield* Random.Random
      const monotonic = () => Number(clock.currentTimeNanosUnsafe() / 1_000n) / 1_000
      const ledgerClock = new LedgerClock(monotonic)
      const accounts = new Map<AccountId, AccountMeter>()
      /** Those that want something of the ledger, now. */
      const wanting = new Set<AccountMeter>()
      const wanted = Latch.makeUnsafe()
      const retryMs = Duration.toMillis(settings.retryAfter)
      const graceMs = Duration.toMillis(settings.graceLasts)
      const reportMs = Duration.toMillis(settings.reportEvery)
      const idleMs = Duration.toMillis(settings.idleAfter)
      const speakers = Semaphore.makeUnsafe(1)
      let downSince: number | undefined
      let downUntil = 0

      const host: MeterHost = {
        gatewayId: uuidOf(random),
        clock: ledgerClock,
        monotonic,
        newLeaseId: () => uuidOf(random),
        wake: (account) => {
          wanting.add(account)
          wanted.openUnsafe()
        },
        isDown: () => monotonic() < downUntil,
        inGrace: () => downSince !== undefined && monotonic() - downSince < graceMs,
      }

      const meterOf = (customer: Customer): AccountMeter => {
        const known = accounts.get(customer.accountId)
        if (known !== undefined) {
          known.customer = customer
          return known
        }
        const meter = new AccountMeter(customer, host)
        accounts.set(customer.accountId, meter)
        return meter
      }

      /** Carries the words of these accounts to the ledger, and its answer back: one at a time, for a lease's reports come in order. */
      const exchange = (speaking: ReadonlyArray<AccountMeter>, isIdle: (account: AccountMeter) => boolean) =>
        speakers.withPermit(exchangeAlone(speaking, isIdle))

      const exchangeAlone = Effect.fnUntraced(function* (
        speaking: ReadonlyArray<AccountMeter>,
        isIdle: (account: AccountMeter) => boolean,
      ) {
        const spoken = speaking.map((account) => ({ account, ...account.report(isIdle(account)) }))
        const leases: Array<LeaseReport> = []
        const receipts: Array<StreamReceipt> = []
        for (const one of spoken) {
          leases.push(...one.leases)
          receipts.push(...one.receipts)
        }
        const answer = yield* ledger.settle(leases, receipts).pipe(
          Effect.timeout(settings.answerWithin),
          Effect.tapError((error) =>
            downSince === undefined ? Effect.logError("the ledger of usage does not answer", error) : Effect.void,
          ),
          Effect.option,
        )
        const now = monotonic()
        if (answer._tag === "None") {
          downSince ??= now
          downUntil = now + retryMs
          for (const { account } of spoken) account.failed()
          return
        }
        if (downSince !== undefined) yield* Effect.logInfo(`the ledger of usage answers again after ${Math.round(now - downSince)} ms`)
        downSince = undefined
        downUntil = 0
        ledgerClock.set(answer.value.now)
        const answers = new Map(answer.value.leases.map((lease) => [lease.leaseId, lease]))
        for (const one of spoken) one.account.settled(one.leases, one.receipts, answers)
        for (const { account } of spoken) if (account.wantsMore) host.wake(account)
      })

      let reportedAt = monotonic()
      const isIdle = (account: AccountMeter) => monotonic() - account.lastUsedAt >= idleMs

      const turn = Effect.gen(function* () {
        yield* wanted.await.pipe(Effect.timeoutOption(Math.max(1, reportMs - (monotonic() - reportedAt))))
        const wait = downUntil - monotonic()
        if (wait > 0) yield* Effect.sleep(wait)
        const isDue = monotonic() - reportedAt >= reportMs || downSince !== undefined
        const speaking = isDue ? [...accounts.values()].filter((one) => one.dirty || one.wantsMore || isIdle(one)) : [...wanting]
        wanting.clear()
        wanted.closeUnsafe()
        if (isDue) reportedAt = monotonic()
        yield* exchange(speaking, isIdle)
        if (isDue) {
          for (const [id, account] of accounts) {
            if (account.forgettable && monotonic() - account.lastUsedAt > FORGET_AFTER_MS) accounts.delete(id)
          }
        }
      })

      // Before the first request: the ledger's time.
      yield* exchange([], () => false)
      if (settings.enabled) {
        yield* turn.pipe(
          Effect.catchCause((cause) => Effect.andThen(Effect.logError("metering failed; going on", cause), Effect.sleep(retryMs))),
          Effect.forever,
          Effect.forkScoped,
        )
      }
      yield* Effect.addFinalizer(() =>
        Effect.suspend(() => exchange([...accounts.values()], () => true)).pipe(Effect.timeoutOption(LAST_WORD), Effect.asVoid),
      )

      return Meter.of({
        enabled: settings.enabled,
        reserve: (customer) => meterOf(customer).reserve(),
        acquire: (customer) =>
          Effect.callback<Lease, Refused>((resume) => {
            const meter = meterOf(customer)
            const waiter: Waiter = {
              served: (lease) => resume(Effect.succeed(lease)),
              refused: (error) => resume(Effect.fail(error)),
            }
            meter.wait(waiter)
            return Effect.sync(() => meter.leave(waiter))
          }),
        wait: (customer, waiter) => meterOf(customer).wait(waiter),
        serve: (lease, kind) => lease.serve(kind, ledgerClock.day()),
        standing: (customer) => ({
          quota: customer.requestsPerMonth,
          remaining: accounts.get(customer.accountId)?.remaining ?? customer.requestsPerMonth,
          resetSeconds: Math.max(0, Math.ceil((ledgerClock.periodEnd() - ledgerClock.now()) / 1_000)),
        }),
        clock: ledgerClock,
        receipt: (receipt, customer) => meterOf(customer).receipt(receipt),
        flush: (accountId) =>
          Effect.suspend(() => {
            const account = accounts.get(accountId)
            return account === undefined || !account.dirty || host.isDown() ? Effect.void : exchange([account], () => false)
          }),
      })
    }),
  )
}
