/**
 * Simulates one account that three gateways serve over one ledger, with random failures, and checks the bill at the
 * end. On a ledger in memory, the same seed gives the same run. A database adds its own timing.
 */
import { ApiKeyId, type Customer, type Terms, termsOf } from "@matchpoint/domain/accounts"
import { graceOf, leaseSize } from "@matchpoint/domain/metering/leases"
import { type Period, periodOf } from "@matchpoint/domain/metering/periods"
import type { Plan } from "@matchpoint/domain/plans"
import { Random } from "@matchpoint/simulator/random"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { Books } from "../Books.ts"
import { Faults } from "./Faults.ts"
import { Gateway } from "./Gateway.ts"

/** Length of a run. Runs on a database are shorter. */
export interface Span {
  readonly steps: number
  /** Maximum time of one step, in milliseconds. */
  readonly longestMs: number
}

export interface Outcome {
  readonly broken: ReadonlyArray<string>
  readonly served: number
  readonly ticks: number
  readonly crashes: number
  readonly owed: number
}

const quotas: readonly [number, ...ReadonlyArray<number>] = [1, 2, 3, 5, 8, 13, 20, 20, 500, 500, 30_000, 30_000, 5_000_000]
const GATEWAYS = 3
/** Milliseconds; shorter than every delay in metering. */
const STEP_MS = 500

export const simulate = Effect.fnUntraced(function* (seed: number, span: Span) {
  const random = new Random(seed)
  const books = yield* Books
  const clock = yield* TestClock.testClockWith(Effect.succeed)
  const broken: Array<string> = []
  const claim = (holds: boolean, text: () => string) => {
    if (!holds) broken.push(text())
  }

  // Every third run crosses the end of a month.
  const start = random.chance(0.33) ? Date.UTC(2026, 10, 30, 23, 59, random.int(0, 59)) : Date.UTC(2026, 10, 12, random.int(0, 23))
  yield* TestClock.setTime(start)
  const now = () => clock.currentTimeMillisUnsafe()
  books.setTime(now)

  const quota = random.pick(quotas)
  const plan: Plan = quota > 500 ? "pro" : random.pick(["free", "starter", "pro"])
  let terms: Terms = termsOf(plan, { requestsPerMonth: quota })
  let highest = quota
  const accountId = yield* books.open(terms)
  const keyId = ApiKeyId.make(accountId)
  const customer = (): Customer => ({ keyId, accountId, ...terms })

  const faults = new Faults(random)
  const served = new Map<Period, { requests: number; ticks: number }>()
  /** Requests beyond their leases that gateways have reported as served, accepted or not. */
  const owed = new Map<string, number>()
  let lastRefusal = Number.NEGATIVE_INFINITY
  let crashes = 0
  const gone: Array<Gateway> = []

  const hooks: ConstructorParameters<typeof Gateway>[0] = {
    settle: (gateway, leases, receipts) =>
      faults
        .apply(
          Effect.tap(books.settle(leases, receipts), (answer) =>
            Effect.sync(() => {
              for (const { leaseId, owed: more } of leases) if (more > 0) owed.set(leaseId, (owed.get(leaseId) ?? 0) + more)
              const granted = new Map(answer.leases.map((lease) => [lease.leaseId, lease.granted]))
              if (leases.some(({ leaseId, want }) => want > 0 && granted.get(leaseId) === 0)) lastRefusal = now()
            }),
          ),
        )
        .pipe(
          Effect.filterOrElse(
            () => gateway.alive,
            () => Effect.never,
          ),
        ),
    served: (lease, kind) => {
      const month = served.get(lease.period) ?? { requests: 0, ticks: 0 }
      served.set(lease.period, month)
      if (kind === "request") month.requests += 1
      else month.ticks += 1
    },
    refused: (_, { error }) => {
      if (error.code === "RATE_LIMIT_EXCEEDED") {
        claim(now() - lastRefusal <= 1_100, () => `rejected by quota ${now() - lastRefusal} ms after the ledger last granted nothing`)
      } else claim(error.code === "SERVICE_UNAVAILABLE", () => `rejected with ${error.code}`)
    },
  }

  const launch = Effect.suspend(() => {
    const gateway = new Gateway(hooks, random.int(-86_400_000, 86_400_000))
    return Effect.as(Effect.forkDetach(gateway.start(BigInt(random.int(0, 1_000_000)) * 1_000_000_000n)), gateway)
  })
  const gateways: Array<Gateway> = []
  for (let n = 0; n < GATEWAYS; n++) gateways.push(yield* launch)

  /** Waits until nothing more happens at the current time. */
  const calm = Effect.gen(function* () {
    for (let quiet = 0; quiet < 3; ) {
      yield* Effect.yieldNow
      if (faults.inFlight === 0) quiet += 1
      else {
        quiet = 0
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      }
    }
  })
  const pass = Effect.fnUntraced(function* (ms: number) {
    for (let left = ms; left > 0; left -= STEP_MS) {
      yield* TestClock.adjust(Math.min(left, STEP_MS))
      yield* calm
    }
  })
  const any = () => gateways[random.int(0, gateways.length - 1)]

  const crash = Effect.fnUntraced(function* (at: number) {
    const gateway = gateways[at]
    if (gateway === undefined) return
    crashes += 1
    gone.push(gateway)
    yield* gateway.kill()
    gateways[at] = yield* launch
  })

  const stop = Effect.fnUntraced(function* (gateway: Gateway) {
    gateway.answer(gateway.held.length, () => true)
    while (gateway.sessions.length > 0) gateway.disconnect(0)
    const stopping = yield* Effect.forkDetach(gateway.stop())
    while (stopping.pollUnsafe() === undefined) yield* pass(STEP_MS)
    gateway.alive = false
  })

  const actions: ReadonlyArray<() => Effect.Effect<void>> = [
    ...Array.from({ length: 8 }, () => () => {
      const many = random.chance(0.3) ? random.int(1, Math.min(3_000, Math.ceil(quota / 20))) : random.int(1, 6)
      return any()?.request(customer(), many, random.int(1, 12)) ?? Effect.void
    }),
    ...Array.from(
      { length: 8 },
      () => () =>
        Effect.sync(() => {
          const gateway = any()
          gateway?.answer(random.int(0, gateway.held.length), () => random.chance(0.8))
        }),
    ),
    () => any()?.connect(customer()) ?? Effect.void,
    () => any()?.connect(customer()) ?? Effect.void,
    () =>
      Effect.sync(() => {
        const gateway = any()
        gateway?.disconnect(random.int(0, gateway.sessions.length))
      }),
    ...Array.from({ length: 4 }, () => () => pass(random.int(1, 2_500))),
    () => pass(random.int(1, span.longestMs)),
    () => Effect.forEach([...(any()?.waiting ?? [])].slice(0, 3), (fiber) => Fiber.interrupt(fiber), { discard: true }),
    () =>
      Effect.sync(() => {
        faults.probability = random.pick([0, 0, 0.1, 0.5])
      }),
    () =>
      Effect.sync(() => {
        faults.outage = random.chance(0.3)
      }),
    () => faults.land,
    () => {
      const gateway = any()
      return Effect.asVoid(Effect.forkDetach(gateway?.parts?.meter.flush(accountId) ?? Effect.void))
    },
    () => (random.chance(0.5) ? crash(random.int(0, GATEWAYS - 1)) : Effect.void),
    () => {
      const gateway = any()
      if (gateway !== undefined) gateway.skew.offset += random.int(-7_200_000, 7_200_000)
      return Effect.void
    },
    () => {
      if (random.chance(0.6)) return Effect.void
      terms = { ...terms, requestsPerMonth: Math.max(1, Math.floor(terms.requestsPerMonth * random.pick([0.3, 0.7, 1.5, 3]))) }
      highest = Math.max(highest, terms.requestsPerMonth)
      return books.change(accountId, terms)
    },
  ]

  const consistent = Effect.gen(function* () {
    for (const [period, month] of yield* books.months(accountId)) {
      claim(month.receiptTicks === month.ticks, () => `${period}: ${month.ticks} ticks billed, receipts for ${month.receiptTicks}`)
      const mine = served.get(period) ?? { requests: 0, ticks: 0 }
      claim(month.requests <= mine.requests, () => `${period}: ${month.requests} requests billed, ${mine.requests} served`)
      claim(month.ticks <= mine.ticks, () => `${period}: ${month.ticks} ticks billed, ${mine.ticks} served`)
    }
  })

  for (let n = 0; n < span.steps; n++) {
    yield* actions[random.int(0, actions.length - 1)]?.() ?? Effect.void
    yield* calm
    if (n % 20 === 0) yield* consistent
  }

  const finish = () => {
    for (const gateway of gateways) {
      gateway.answer(gateway.held.length, () => true)
      while (gateway.sessions.length > 0) gateway.disconnect(0)
    }
  }

  // Idle gateways give back their leases, even over a bad connection.
  if (random.chance(0.5)) {
    finish()
    yield* pass(29_000)
    faults.outage = random.chance(0.5)
    yield* pass(4_000)
  }

  // All faults end. Live gateways report everything, then use up the rest of the quota, and stop.
  faults.outage = false
  faults.probability = 0
  yield* faults.land
  finish()
  yield* pass(45_000)
  const period = periodOf(now())
  const isSmall = terms.requestsPerMonth <= 500
  if (isSmall) {
    for (let n = 0; n < 3; n++) {
      for (const gateway of gateways) {
        yield* gateway.request(customer(), 600, 600)
        yield* pass(STEP_MS)
        gateway.answer(gateway.held.length, () => true)
      }
      yield* pass(3_000)
    }
  }
  for (const gateway of gateways) yield* stop(gateway)
  yield* pass(5_000)
  yield* consistent

  const months = yield* books.months(accountId)
  const leases = yield* books.leases(accountId)
  const isCrashed = (leaseId: string) => gone.some((gateway) => gateway.leaseIds.has(leaseId))
  const allOwed = [...owed.values()].reduce((sum, one) => sum + one, 0)
  // A gateway may have crashed before it reported the requests it served in grace.
  const unreportedGrace = terms.plan === "free" ? 0 : crashes * graceOf(highest)
  for (const [month, { requests, ticks }] of served) {
    const bill = months.get(month) ?? { given: 0, requests: 0, ticks: 0, receiptTicks: 0 }
    const all = requests + ticks
    const open = leases
      .filter((lease) => lease.period === month && isCrashed(lease.leaseId))
      .reduce((sum, lease) => sum + lease.size - lease.used, 0)
    const unbilled = all - bill.requests - bill.ticks
    claim(all <= highest + allOwed + unreportedGrace, () => `${month}: served ${all} of ${highest}, ${allOwed} owed`)
    claim(bill.given <= highest + allOwed, () => `${month}: ${bill.given} given out of ${highest}, ${allOwed} owed`)
    claim(unbilled <= open + unreportedGrace, () => `${month}: ${unbilled} served but not billed, ${open} open at crashed gateways`)
    for (const lease of leases) {
      if (lease.period !== month || isCrashed(lease.leaseId)) continue
      claim(lease.size === lease.used, () => `${month}: a live gateway left ${lease.size - lease.used} requests of its lease`)
    }
    const misplaced = bill.given - bill.requests - bill.ticks
    claim(
      misplaced === open,
      () => `${month}: given out ${bill.given}, billed ${bill.requests + bill.ticks}, open at crashed gateways ${open}`,
    )
    if (isSmall && month === period) {
      claim(bill.given >= terms.requestsPerMonth, () => `${month}: given out only ${bill.given} of ${terms.requestsPerMonth}`)
    }
  }
  for (const gateway of gone) {
    const bound = leaseSize(highest) + gateway.peak + gateway.sessions.length + graceOf(highest)
    for (const lease of leases.filter(({ leaseId }) => gateway.leaseIds.has(leaseId))) {
      claim(lease.size - lease.used <= bound, () => `a crashed gateway lost ${lease.size - lease.used} requests, more than ${bound}`)
    }
  }
  const totals = [...served.values()].reduce((sum, { requests, ticks }) => ({ served: sum.served + requests, ticks: sum.ticks + ticks }), {
    served: 0,
    ticks: 0,
  })
  return { broken, ...totals, crashes, owed: allOwed } satisfies Outcome
})
