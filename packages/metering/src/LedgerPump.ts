/**
 * Exchanges the reports of a gateway's accounts (AccountMeter.ts) with the ledger: one exchange at a time, because the
 * reports of an account must arrive in order, with many accounts each. Also tracks whether the ledger responds.
 */
import type { AccountId } from "@matchpoint/domain/accounts"
import type { LeaseReport, StreamReceipt } from "@matchpoint/domain/metering/leases"
import { periodOf } from "@matchpoint/domain/metering/periods"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import { type Cause, Clock, Duration, Effect, Fiber, Latch, Metric, Random, Semaphore } from "effect"
import type { AccountMeter, AccountReport, MeterHost } from "./AccountMeter.ts"
import { Ledger } from "./Ledger.ts"
import { LedgerClock } from "./LedgerClock.ts"
import { MeteringConfig } from "./MeteringConfig.ts"
import { timeoutAwake } from "./timeoutAwake.ts"
import { uuidOf } from "./uuidOf.ts"

/** Accounts unused for this long are removed from memory. */
const FORGET_AFTER_MS = 300_000
/** Time for the remaining reports when the process ends. */
const FINAL_REPORT_TIMEOUT = "3 seconds"
/** Delay of an exchange that only reserves in advance, so that several accounts share it. Waiting callers are not delayed. */
const BATCH_DELAY_MS = 100
/**
 * Limits of one exchange. An account with more receipts needs several. After each, the ticks in the ledger equal the
 * sum of the ticks in the account's reported receipts.
 */
const MAX_ACCOUNTS = 500
const MAX_RECEIPTS = 2_000

export const ledgerUp = Metric.gauge("matchpoint_ledger_up", {
  description: "1 if the usage ledger responded to the last exchange, else 0",
})
export const ledgerExchanges = Metric.histogram("matchpoint_ledger_exchange_duration_seconds", {
  description: "Successful exchanges with the usage ledger",
  boundaries: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5],
})
export const ledgerFailures = Metric.counter("matchpoint_ledger_failures_total", {
  description: "Failed exchanges with the usage ledger",
  incremental: true,
})

export interface LedgerPump {
  readonly host: MeterHost
  readonly flush: (account: AccountMeter) => Effect.Effect<void>
}

/** Runs until the scope closes. The caller adds accounts to `accounts`; the loop removes those that are no longer used. */
export const makeLedgerPump = Effect.fnUntraced(function* (accounts: Map<AccountId, AccountMeter>) {
  const ledger = yield* Ledger
  const settings = yield* MeteringConfig
  const monotonic = monotonicOf(yield* Clock.Clock)
  const random = yield* Random.Random
  const ledgerClock = new LedgerClock(monotonic)
  const wanting = new Set<AccountMeter>()
  /** Open while an account needs an exchange soon. */
  const wanted = Latch.makeUnsafe()
  /** Open while a caller waits for an exchange. */
  const urgent = Latch.makeUnsafe()
  const retryMs = Duration.toMillis(settings.retryAfter)
  const graceMs = Duration.toMillis(settings.graceLasts)
  const reportMs = Duration.toMillis(settings.reportEvery)
  const idleMs = Duration.toMillis(settings.idleAfter)
  const exchangeLock = Semaphore.makeUnsafe(1)
  let downSince: number | undefined
  let retryAt = 0

  /** Accounts that have not reported yet in the current round. */
  let due: Array<AccountMeter> = []

  const host: MeterHost = {
    gatewayId: uuidOf(random),
    clock: ledgerClock,
    monotonic,
    newLeaseId: () => uuidOf(random),
    wake: (account) => {
      wanting.add(account)
      if (account.needsExchangeSoon) wanted.openUnsafe()
      if (account.waiting > 0) urgent.openUnsafe()
    },
    isDown: () => downSince !== undefined,
    inGrace: () => downSince !== undefined && monotonic() - downSince < graceMs,
  }

  /** A request that timed out may go on. The ledger may still apply its reports, which is harmless. */
  const sendReports = (leases: ReadonlyArray<LeaseReport>, receipts: ReadonlyArray<StreamReceipt>) =>
    Effect.flatMap(Effect.forkDetach(ledger.settle(leases, receipts)), (request) =>
      Fiber.join(request).pipe(
        timeoutAwake(settings.answerWithin),
        Effect.onError(() => Effect.sync(() => request.interruptUnsafe())),
      ),
    )

  const failed = (cause: Cause.Cause<unknown>) =>
    Effect.gen(function* () {
      const now = monotonic()
      retryAt = now + retryMs
      yield* Metric.update(ledgerUp, 0)
      yield* Metric.update(ledgerFailures, 1)
      if (downSince === undefined) {
        downSince = now
        yield* Effect.logError("the usage ledger does not respond; retrying", cause)
      }
      for (const account of accounts.values()) if (account.waiting > 0) yield* guarded(() => account.failed())
    })

  const answered = (now: number, sentAt: number) => {
    ledgerClock.set(now, sentAt)
    if (downSince === undefined) return Effect.void
    const since = downSince
    downSince = undefined
    return Effect.logInfo(`the usage ledger responds again after ${Math.round(monotonic() - since)} ms`)
  }

  const exchangeAlone = Effect.fnUntraced(function* (reporting: Iterable<AccountMeter>, isIdle: (account: AccountMeter) => boolean) {
    const sent: Array<{ readonly account: AccountMeter; readonly report: AccountReport }> = []
    const leases: Array<LeaseReport> = []
    const receipts: Array<StreamReceipt> = []
    for (const account of reporting) {
      const report = account.report(isIdle(account), MAX_RECEIPTS - receipts.length)
      if (report.leases.length === 0 && report.receipts.length === 0) continue
      sent.push({ account, report })
      for (const lease of report.leases) leases.push(lease)
      for (const { receipt } of report.receipts) receipts.push(receipt)
    }
    const sentAt = monotonic()
    const answer = yield* Effect.exit(sendReports(leases, receipts))
    if (answer._tag === "Failure") return yield* failed(answer.cause)
    yield* answered(answer.value.now, sentAt)
    yield* Metric.update(ledgerUp, 1)
    yield* Metric.update(ledgerExchanges, (monotonic() - sentAt) / 1_000)
    const period = periodOf(answer.value.now)
    const answers = new Map(answer.value.leases.map((lease) => [lease.leaseId, lease]))
    for (const { account, report } of sent) {
      yield* guarded(() => account.settled(report, answers, period))
      if (account.waiting > 0) host.wake(account)
      // The rest of the receipts is reported after all other accounts have had their turn.
      if (report.hasMoreReceipts) due.unshift(account)
    }
  })

  const exchange = (reporting: Iterable<AccountMeter>, isIdle: (account: AccountMeter) => boolean) =>
    exchangeLock.withPermit(exchangeAlone(reporting, isIdle))

  /** Start of the last round, in monotonic milliseconds. */
  let reportedAt = monotonic()
  const isIdle = (account: AccountMeter) => monotonic() - account.lastUsedAt >= idleMs

  const pause = Effect.suspend(() => {
    if (downSince !== undefined) return Effect.sleep(Math.max(1, retryAt - monotonic()))
    const roundIn = Math.max(1, reportMs - (monotonic() - reportedAt))
    return Effect.andThen(
      Effect.timeoutOption(wanted.await, roundIn),
      Effect.timeoutOption(urgent.await, Math.min(roundIn, BATCH_DELAY_MS)),
    )
  })

  const beginRound = () => {
    reportedAt = monotonic()
    for (const [id, account] of accounts) {
      if (account.hasUnreported || account.waiting > 0 || (isIdle(account) && !account.isRemovable)) due.push(account)
      else if (account.isRemovable && reportedAt - account.lastUsedAt > FORGET_AFTER_MS) accounts.delete(id)
    }
  }

  const nextBatch = (): Set<AccountMeter> => {
    const batch = new Set<AccountMeter>()
    let receipts = 0
    const add = (account: AccountMeter) => {
      batch.add(account)
      receipts += account.unreportedReceipts
    }
    // First those that need more requests. The limit of receipts does not apply to them.
    for (const account of wanting) {
      if (batch.size >= MAX_ACCOUNTS) break
      wanting.delete(account)
      if (account.wantsMore) add(account)
    }
    if (wanting.size === 0) {
      wanted.closeUnsafe()
      urgent.closeUnsafe()
    }
    while (batch.size < MAX_ACCOUNTS && receipts < MAX_RECEIPTS) {
      const account = due.pop()
      if (account === undefined) break
      add(account)
    }
    return batch
  }

  const turn = Effect.gen(function* () {
    if (due.length === 0) yield* pause
    const isRound = due.length === 0 && (downSince !== undefined || monotonic() - reportedAt >= reportMs)
    if (isRound) beginRound()
    const batch = nextBatch()
    // Each round contacts the ledger at least once, to get its time and to see whether it responds.
    if (batch.size > 0 || isRound) yield* exchange(batch, isIdle)
    if (downSince !== undefined) due = []
  })

  // Metering needs the ledger's time before the first request.
  yield* exchange([], isIdle)
  if (settings.enabled) {
    const pumping = yield* turn.pipe(
      Effect.catchCause((cause) =>
        Effect.andThen(Effect.logError("an exchange with the usage ledger failed unexpectedly; retrying", cause), Effect.sleep(retryMs)),
      ),
      Effect.forever,
      Effect.forkScoped,
    )
    const finalReport = Effect.gen(function* () {
      yield* Fiber.interrupt(pumping)
      due = [...accounts.values()]
      while (due.length > 0 || wanting.size > 0) yield* exchange(nextBatch(), () => true)
    })
    yield* Effect.addFinalizer(() => Effect.asVoid(Effect.timeoutOption(finalReport, FINAL_REPORT_TIMEOUT)))
  }

  const flush = (account: AccountMeter) =>
    Effect.suspend(() => {
      if (!account.hasUnreported) return Effect.void
      const parts = Math.max(1, Math.ceil(account.unreportedReceipts / MAX_RECEIPTS))
      const once = Effect.suspend(() => (host.isDown() ? Effect.void : exchange([account], () => false)))
      return Effect.repeat(once, { times: parts - 1 })
    })
  return { host, flush } satisfies LedgerPump
})

/** An error is logged, so that the callbacks of the other accounts still run. */
const guarded = (answer: () => void) =>
  Effect.catchCause(Effect.sync(answer), (cause) => Effect.logError("a callback of a metering caller failed", cause))
