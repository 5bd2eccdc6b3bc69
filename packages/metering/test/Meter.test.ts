import { assert, describe, it } from "@effect/vitest"
import { AccountId, type Customer } from "@matchpoint/domain/accounts"
import { graceOf, leaseSize } from "@matchpoint/domain/metering/leases"
import { Period } from "@matchpoint/domain/metering/periods"
import { Context, Effect, Exit, Fiber, Layer, References, Scope } from "effect"
import { TestClock } from "effect/testing"
import type { Lease } from "../src/Lease.ts"
import { Meter } from "../src/Meter.ts"
import { MeteringConfig } from "../src/MeteringConfig.ts"
import { customerOf, LATE_IN_MONTH, TestLedger } from "./fixtures.ts"

const quiet = Effect.provideService(References.MinimumLogLevel, "None")

const metered = (quota: number, line?: "refuses") => Meter.layer.pipe(Layer.provideMerge(TestLedger.layer(quota, line)))

/** Acquires and serves one request. */
const request = (customer: Customer) =>
  Effect.flatMap(Meter, (meter) =>
    Effect.uninterruptibleMask((restore) => Effect.map(restore(meter.acquire(customer)), (lease) => meter.serve(lease, "request"))),
  )

const codeOf = <A, R>(effect: Effect.Effect<A, { readonly error: { readonly code: string } }, R>) =>
  Effect.map(Effect.flip(effect), ({ error }) => error.code)

/** A different account for each number. */
const accountOf = (n: number): Customer => ({
  ...customerOf("business", 5_000_000),
  accountId: AccountId.make(`00000000-0000-4000-9000-0000000000${String(n).padStart(2, "0")}`),
})

const month = (name: string) => Period.make(name)

describe("Meter", () => {
  it.effect("serves exactly a small quota, each request granted by the ledger first", () =>
    Effect.gen(function* () {
      const { book } = yield* TestLedger
      const free = customerOf("free", 20)
      yield* Effect.forEach(Array.from({ length: 20 }), () => request(free), { concurrency: 5, discard: true })
      assert.strictEqual(book.given.get(`${free.accountId} 1970-01`), 20)
      assert.strictEqual(yield* codeOf(request(free)), "RATE_LIMIT_EXCEEDED")
      yield* TestClock.adjust("3 seconds")
      assert.deepStrictEqual(book.bill(free.accountId, month("1970-01")), { requests: 20, streamTicks: 0 })
      const meter = yield* Meter
      assert.strictEqual(meter.account(free).remaining(meter.moment()), 0)
    }).pipe(Effect.provide(metered(20))),
  )

  it.effect("asks the ledger rarely on large plans, and at most once a second when the quota is used up", () =>
    Effect.gen(function* () {
      const ledger = yield* TestLedger
      const business = customerOf("business", 5_000_000)
      for (let n = 0; n < 5_000; n++) yield* request(business)
      assert.isBelow(ledger.asked, 20)
      ledger.quota = 0
      const before = ledger.asked
      const refused = Effect.forEach(Array.from({ length: 5_000 }), () => Effect.exit(request(business)), { discard: true })
      yield* refused
      assert.isBelow(ledger.asked - before, 10)
      yield* TestClock.adjust("1 second")
      const later = ledger.asked
      yield* refused
      assert.isAtMost(ledger.asked - later, 2)
    }).pipe(Effect.provide(metered(5_000_000))),
  )

  it.effect("fetches in advance for many accounts in one exchange, and at once for a waiting request", () =>
    Effect.gen(function* () {
      const ledger = yield* TestLedger
      const meter = yield* Meter
      const crowd = Array.from({ length: 40 }, (_, n) => accountOf(n))
      yield* Effect.forEach(crowd, request, { discard: true })
      yield* TestClock.adjust("3 seconds")
      const before = ledger.asked
      // Each account uses its lease until more is fetched in advance. No request waits.
      for (const customer of crowd) {
        const account = meter.account(customer)
        for (let lease = account.reserve(meter.moment()); lease !== undefined; lease = account.reserve(meter.moment())) {
          meter.serve(lease, "request")
          if (lease.available < lease.size / 8) break
        }
        yield* Effect.yieldNow
      }
      yield* TestClock.adjust("99 millis")
      assert.strictEqual(ledger.asked, before)
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(ledger.asked, before + 1)
      // The test clock stands still, so this exchange was not delayed.
      yield* request(accountOf(40))
      assert.strictEqual(ledger.asked, before + 2)
    }).pipe(Effect.provide(metered(5_000_000))),
  )

  it.effect("refills a half-used lease to its full size in the next exchange of another account", () =>
    Effect.gen(function* () {
      const ledger = yield* TestLedger
      const meter = yield* Meter
      const [steady, other] = [accountOf(1), accountOf(2)]
      const serve = (count: number) => Effect.forEach(Array.from({ length: count }), () => request(steady), { discard: true })
      yield* serve(1)
      yield* TestClock.adjust("3 seconds")
      const whole = meter.account(steady).reserve(meter.moment())
      assert.isDefined(whole)
      whole.release()
      // Between a quarter and a half is left, which alone causes no exchange.
      yield* serve(whole.available - Math.floor(whole.size * 0.4))
      const before = ledger.asked
      yield* TestClock.adjust("200 millis")
      assert.strictEqual(ledger.asked, before)
      yield* request(other)
      assert.strictEqual(ledger.asked, before + 1)
      assert.strictEqual(whole.available, leaseSize(5_000_000))
    }).pipe(Effect.provide(metered(5_000_000))),
  )

  it.effect("returns reserved requests that were not served, and loses none when a waiter is interrupted", () =>
    Effect.gen(function* () {
      const meter = yield* Meter
      const ledger = yield* TestLedger
      const free = customerOf("free", 3)
      const lease = yield* meter.acquire(free)
      lease.release()
      ledger.line = "silent"
      // The only available request is taken. The next caller waits for the ledger and is interrupted.
      const held = yield* meter.acquire(free)
      const waiting = yield* Effect.forkChild(meter.acquire(free), { startImmediately: true })
      yield* Fiber.interrupt(waiting)
      ledger.line = "up"
      yield* TestClock.adjust("10 seconds")
      meter.serve(held, "request")
      yield* request(free)
      yield* request(free)
      assert.strictEqual(yield* codeOf(request(free)), "RATE_LIMIT_EXCEEDED")
    }).pipe(Effect.provide(metered(3)), quiet),
  )

  it.effect("counts a request in the month in which it began, and starts the next month with the full quota", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(LATE_IN_MONTH)
      const scope = yield* Scope.make()
      const { book } = yield* TestLedger
      const meter = Context.get(yield* Layer.buildWithScope(Meter.layer, scope), Meter)
      const free = customerOf("free", 2)
      const long = yield* meter.acquire(free)
      meter.serve(yield* meter.acquire(free), "request")
      assert.strictEqual(yield* codeOf(meter.acquire(free)), "RATE_LIMIT_EXCEEDED")
      assert.strictEqual(meter.clock.secondsToPeriodEnd(meter.clock.now()), 3_600)
      assert.strictEqual(meter.clock.periodSeconds(meter.clock.now()), 30 * 86_400)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(meter.account(free).remaining(meter.moment()), 2)
      meter.serve(yield* meter.acquire(free), "request")
      meter.serve(long, "request")
      yield* TestClock.adjust("3 seconds")
      assert.strictEqual(book.bill(free.accountId, month("2026-11")).requests, 2)
      assert.strictEqual(book.bill(free.accountId, month("2026-12")).requests, 1)
      yield* Scope.close(scope, Exit.void)
    }).pipe(Effect.provide(TestLedger.layer(2))),
  )

  it.effect("applies a change of plan in the middle of a month, up and down", () =>
    Effect.gen(function* () {
      const ledger = yield* TestLedger
      yield* request(customerOf("free", 1))
      assert.strictEqual(yield* codeOf(request(customerOf("free", 1))), "RATE_LIMIT_EXCEEDED")
      ledger.quota = 10_000
      yield* TestClock.adjust("1 second")
      for (let n = 0; n < 9; n++) yield* request(customerOf("starter", 10_000))
      ledger.quota = 5
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* codeOf(request(customerOf("free", 5))), "RATE_LIMIT_EXCEEDED")
      assert.strictEqual(ledger.book.given.get(`${customerOf("free", 5).accountId} 1970-01`), 10)
    }).pipe(Effect.provide(metered(1))),
  )

  it.effect("without the ledger, rejects Free, serves paid plans a bounded number, and bills it later", () =>
    Effect.gen(function* () {
      const ledger = yield* TestLedger
      const pro = customerOf("pro", 1_000_000)
      yield* request(pro)
      yield* TestClock.adjust("2 seconds")
      ledger.line = "refuses"
      yield* TestClock.adjust("3 seconds")
      let served = 0
      while (Exit.isSuccess(yield* Effect.exit(request(pro)))) served += 1
      const before = 1 + served
      // The rest of the lease plus the grace.
      assert.isAtLeast(served, graceOf(1_000_000))
      assert.isAtMost(served, graceOf(1_000_000) + 130)
      assert.strictEqual(yield* codeOf(request(pro)), "SERVICE_UNAVAILABLE")
      assert.strictEqual(yield* codeOf(request({ ...pro, plan: "free" })), "SERVICE_UNAVAILABLE")
      ledger.line = "up"
      yield* TestClock.adjust("3 seconds")
      assert.strictEqual(ledger.book.bill(pro.accountId, month("1970-01")).requests, before)
      yield* request(pro)
    }).pipe(Effect.provide(metered(1_000_000)), quiet),
  )

  it.effect("ends grace after its maximum time, and grants none after the quota is used up", () =>
    Effect.gen(function* () {
      const ledger = yield* TestLedger
      const pro = customerOf("pro", 30_000)
      yield* request(pro)
      ledger.line = "refuses"
      yield* TestClock.adjust("4 minutes")
      for (let n = 0; n < 5; n++) yield* request(pro)
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual(yield* codeOf(request(pro)), "SERVICE_UNAVAILABLE")
      ledger.line = "up"
      ledger.quota = 1
      yield* TestClock.adjust("3 seconds")
      assert.strictEqual(yield* codeOf(request(pro)), "RATE_LIMIT_EXCEEDED")
      ledger.line = "refuses"
      yield* TestClock.adjust("3 seconds")
      assert.strictEqual(yield* codeOf(request(pro)), "SERVICE_UNAVAILABLE")
    }).pipe(Effect.provide(metered(30_000)), quiet),
  )

  it.effect("starts without the ledger, rejects requests at once, and recovers", () =>
    Effect.gen(function* () {
      const ledger = yield* TestLedger
      const pro = customerOf("pro", 30_000)
      assert.strictEqual(yield* codeOf(request(pro)), "SERVICE_UNAVAILABLE")
      ledger.line = "up"
      yield* TestClock.adjust("2 seconds")
      yield* request(pro)
    }).pipe(Effect.provide(metered(30_000, "refuses")), quiet),
  )

  it.effect("rejects a waiting request when the ledger does not respond in time", () =>
    Effect.gen(function* () {
      const ledger = yield* TestLedger
      const free = customerOf("free", 500)
      ledger.line = "silent"
      const waiting = yield* Effect.forkChild(codeOf(request(free)), { startImmediately: true })
      yield* Effect.yieldNow
      yield* TestClock.adjust("1 second")
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(yield* Fiber.join(waiting), "SERVICE_UNAVAILABLE")
      assert.strictEqual(yield* codeOf(request(free)), "SERVICE_UNAVAILABLE")
      ledger.line = "up"
    }).pipe(Effect.provide(metered(500)), quiet),
  )

  it.effect("repeats a return of requests until the ledger has accepted it", () =>
    Effect.gen(function* () {
      const ledger = yield* TestLedger
      const pro = customerOf("pro", 1_000_000)
      yield* request(pro)
      yield* TestClock.adjust("3 seconds")
      assert.isAbove(ledger.book.given.get(`${pro.accountId} 1970-01`) ?? 0, 50)
      ledger.line = "refuses"
      yield* TestClock.adjust("1 minute")
      ledger.line = "up"
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual(ledger.book.given.get(`${pro.accountId} 1970-01`), 1)
    }).pipe(Effect.provide(metered(1_000_000)), quiet),
  )

  it.effect("loses neither quota nor bill when a response is lost", () =>
    Effect.gen(function* () {
      const ledger = yield* TestLedger
      const pro = customerOf("pro", 30_000)
      ledger.line = "loses answers"
      assert.strictEqual(yield* codeOf(request(pro)), "SERVICE_UNAVAILABLE")
      assert.isAbove(ledger.book.given.get(`${pro.accountId} 1970-01`) ?? 0, 0)
      ledger.line = "up"
      yield* TestClock.adjust("35 seconds")
      assert.strictEqual(ledger.book.given.get(`${pro.accountId} 1970-01`), 0)
    }).pipe(Effect.provide(metered(30_000)), quiet),
  )

  it.effect("lets a thousand requests of an account wait, and rejects the next", () =>
    Effect.gen(function* () {
      const ledger = yield* TestLedger
      const free = customerOf("free", 500)
      ledger.line = "silent"
      const all = yield* Effect.forEach(Array.from({ length: 1_000 }), () =>
        Effect.forkChild(Effect.exit(request(free)), { startImmediately: true }),
      )
      assert.strictEqual(yield* codeOf(request(free)), "SERVICE_UNAVAILABLE")
      yield* Fiber.interruptAll(all)
      ledger.line = "up"
    }).pipe(Effect.provide(metered(500)), quiet),
  )

  it.effect("sends a last report when it ends, within a bounded time", () =>
    Effect.gen(function* () {
      const ledger = yield* TestLedger
      const pro = customerOf("pro", 1_000_000)
      const life = Effect.scoped(
        Effect.gen(function* () {
          const services = yield* Layer.build(Layer.fresh(Meter.layer))
          yield* Effect.provideContext(request(pro), services)
        }),
      )
      yield* life
      assert.strictEqual(ledger.book.bill(pro.accountId, month("1970-01")).requests, 1)
      assert.strictEqual(ledger.book.given.get(`${pro.accountId} 1970-01`), 1)
      const ending = yield* Effect.forkChild(
        Effect.scoped(
          Effect.gen(function* () {
            yield* Layer.build(Layer.fresh(Meter.layer))
            ledger.line = "silent"
          }),
        ),
      )
      yield* TestClock.adjust("4 seconds")
      assert.isTrue(Exit.isSuccess(yield* Fiber.await(ending)))
    }).pipe(Effect.provide(TestLedger.layer(1_000_000)), quiet),
  )

  it.effect("flush reports to the ledger at once", () =>
    Effect.gen(function* () {
      const meter = yield* Meter
      const { book } = yield* TestLedger
      const pro = customerOf("pro", 1_000_000)
      yield* request(pro)
      yield* meter.flush(pro.accountId)
      assert.strictEqual(book.bill(pro.accountId, month("1970-01")).requests, 1)
    }).pipe(Effect.provide(metered(1_000_000))),
  )

  it.effect("continues when the callback of one waiter throws", () =>
    Effect.gen(function* () {
      const meter = yield* Meter
      const free = customerOf("free", 10)
      meter.wait(free, {
        served: () => {
          throw new Error("of a caller")
        },
        refused: () => {},
      })
      const leases: Array<Lease> = []
      meter.wait(free, { served: (lease) => leases.push(lease), refused: () => {} })
      yield* Effect.repeat(TestClock.adjust("1 second"), { times: 3 })
      assert.strictEqual(leases.length, 1)
    }).pipe(Effect.provide(metered(10)), quiet),
  )

  it.effect("neither rejects nor counts requests when metering is disabled", () =>
    Effect.gen(function* () {
      const meter = yield* Meter
      const { book } = yield* TestLedger
      const free = customerOf("free", 1)
      for (let n = 0; n < 10; n++) yield* request(free)
      assert.isDefined(meter.reserve(free))
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(book.leases.size, 0)
    }).pipe(
      Effect.provide(
        Layer.effectDiscard(Effect.void).pipe(
          Layer.provideMerge(metered(1)),
          Layer.provide(
            Layer.effect(
              MeteringConfig,
              Effect.map(MeteringConfig, (settings) => ({ ...settings, enabled: false })),
            ),
          ),
        ),
      ),
    ),
  )
})
