import { assert, describe, it } from "@effect/vitest"
import { ApiKeyId, type Customer } from "@matchpoint/domain/accounts"
import { planTerms } from "@matchpoint/domain/plans"
import { Effect, Exit, Fiber, Random } from "effect"
import { TestClock } from "effect/testing"
import type { Place } from "../../src/counts/KeyPlaces.ts"
import { CountsBook, countsOf } from "../../src/counts/SharedCountsMemory.ts"
import type { StreamLimits } from "../../src/counts/StreamLimits.ts"
import { uuidOf } from "../../src/uuidOf.ts"
import { customerOf } from "../fixtures.ts"
import { gateway, Line } from "./gateways.ts"

const free = customerOf("free", 500)
const LIMIT = planTerms.free.connections
const connection = { connection: true, stream: true, replay: false }
const replay = { connection: false, stream: false, replay: true }

const anotherKey: Effect.Effect<Customer> = Effect.map(Random.Random, (random) => ({ ...free, keyId: ApiKeyId.make(uuidOf(random)) }))

const settle = TestClock.adjust("50 millis")

/** Takes `many` places at once and returns those that were granted. */
const takeMany = Effect.fnUntraced(function* (limits: StreamLimits["Service"], customer: Customer, many: number, wanted = connection) {
  const fibers = yield* Effect.forEach(Array.from({ length: many }), () => Effect.forkChild(limits.take(customer, wanted)))
  yield* Effect.yieldNow
  yield* settle
  const places: Array<Place> = []
  for (const fiber of fibers) {
    const exit = yield* Effect.exit(Fiber.join(fiber))
    if (Exit.isSuccess(exit)) places.push(exit.value)
  }
  return places
})

const freeOf = (places: ReadonlyArray<Place>) => places.filter(({ isFree }) => isFree).length

describe("StreamLimits", () => {
  it.effect("decides at once on the only gateway", () =>
    Effect.gen(function* () {
      const { limits } = yield* gateway(null)
      const taken = yield* Effect.forEach(Array.from({ length: LIMIT }), () => limits.take(free, connection))
      assert.isFalse(limits.hasRoomFor(free, connection))
      assert.strictEqual((yield* Effect.flip(limits.take(free, connection))).limit, "connections")
      assert.strictEqual((yield* limits.take(free, { ...connection, connection: false })).isFree, false)
      taken[0]?.release()
      taken[0]?.release()
      yield* limits.take(free, connection)
      yield* Effect.flip(limits.take(free, connection))
      yield* limits.take(free, replay)
      assert.strictEqual((yield* Effect.flip(limits.take(free, replay))).limit, "replays")
    }),
  )

  it.effect("applies the terms of the newest caller", () =>
    Effect.gen(function* () {
      const { limits } = yield* gateway(null)
      for (let n = 0; n < LIMIT; n++) yield* limits.take(free, connection)
      assert.isTrue(limits.hasRoomFor({ ...free, plan: "starter" }, connection))
      yield* limits.take({ ...free, plan: "starter" }, connection)
      yield* Effect.flip(limits.take(free, connection))
    }),
  )

  it.effect("shares the limit between gateways", () =>
    Effect.gen(function* () {
      const line = new Line()
      const [one, two, three] = [yield* gateway(line), yield* gateway(line), yield* gateway(line)]
      const first = yield* takeMany(one.limits, free, LIMIT - 2)
      assert.lengthOf(first, LIMIT - 2)
      assert.lengthOf(yield* takeMany(two.limits, free, 5), 2)
      assert.lengthOf(yield* takeMany(three.limits, free, 1), 0)
      assert.lengthOf(yield* takeMany(three.limits, yield* anotherKey, LIMIT), LIMIT)
      for (const place of first) place.release()
      yield* TestClock.adjust("300 millis")
      assert.lengthOf(yield* takeMany(three.limits, free, LIMIT), LIMIT - 2)
    }),
  )

  it.effect("reports a key once that has both ended and waiting connections", () =>
    Effect.gen(function* () {
      const { limits } = yield* gateway(new Line())
      const places = yield* takeMany(limits, free, LIMIT)
      for (const place of places) place.release()
      assert.lengthOf(yield* takeMany(limits, free, LIMIT), LIMIT)
    }),
  )

  it.effect("decides a crowd in few exchanges", () =>
    Effect.gen(function* () {
      const line = new Line()
      const { limits } = yield* gateway(line)
      yield* settle
      const before = line.exchanges
      const customers = yield* Effect.all(Array.from({ length: 2_000 }, () => anotherKey))
      const fibers = yield* Effect.forEach(customers, (customer) => Effect.forkChild(limits.take(customer, connection)))
      yield* Effect.yieldNow
      yield* settle
      for (const fiber of fibers) yield* Fiber.join(fiber)
      assert.isAtMost(line.exchanges - before, 5)
    }),
  )

  it.effect("takes no place for a client that stops waiting", () =>
    Effect.gen(function* () {
      const line = new Line()
      const { limits } = yield* gateway(line)
      yield* settle
      const waiting = yield* Effect.forkChild(limits.take(free, connection))
      yield* Effect.yieldNow
      yield* TestClock.adjust("1 millis")
      yield* Fiber.interrupt(waiting)
      yield* TestClock.adjust("1 second")
      assert.strictEqual(line.book.total(free.keyId, 1_051).connections, 0)
      assert.lengthOf(yield* takeMany(limits, free, LIMIT + 1), LIMIT)
    }),
  )

  it.effect("makes every stream of a gateway that shuts down free once, at another gateway", () =>
    Effect.gen(function* () {
      const line = new Line()
      const [one, two] = [yield* gateway(line), yield* gateway(line)]
      const before = yield* takeMany(one.limits, free, LIMIT)
      assert.strictEqual(freeOf(before), 0)
      yield* Effect.forkChild(one.stop)
      yield* Effect.yieldNow
      // Sockets close during the shutdown.
      for (const place of before) place.release()
      yield* TestClock.adjust("500 millis")
      const after = yield* takeMany(two.limits, free, LIMIT)
      assert.strictEqual(freeOf(after), LIMIT)
      for (const place of after) place.release()
      yield* TestClock.adjust("300 millis")
      assert.strictEqual(freeOf(yield* takeMany(two.limits, free, LIMIT)), 0)
    }),
  )

  it.effect("credits clients of a crashed gateway that connect elsewhere before the crash is known", () =>
    Effect.gen(function* () {
      const line = new Line()
      const [one, two] = [yield* gateway(line), yield* gateway(line)]
      const pro = { ...free, plan: "pro" as const }
      yield* takeMany(one.limits, pro, 6)
      yield* TestClock.adjust("2 seconds")
      yield* one.crash
      const after = yield* takeMany(two.limits, pro, 4)
      assert.strictEqual(freeOf(after), 0)
      let credits = 0
      for (const place of after) {
        place.onCredit = {
          credit: () => {
            credits += 1
          },
        }
      }
      yield* TestClock.adjust("7 seconds")
      assert.strictEqual(credits, 4)
      // The other two come later.
      assert.strictEqual(freeOf(yield* takeMany(two.limits, pro, 3)), 2)
    }),
  )

  it.effect("does not credit connects long before a crash", () =>
    Effect.gen(function* () {
      const line = new Line()
      const [one, two] = [yield* gateway(line), yield* gateway(line)]
      const pro = { ...free, plan: "pro" as const }
      yield* takeMany(one.limits, pro, 2)
      const early = yield* takeMany(two.limits, pro, 2)
      yield* TestClock.adjust("20 seconds")
      yield* one.crash
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(freeOf(early), 0)
      assert.strictEqual(freeOf(yield* takeMany(two.limits, pro, 2)), 2)
    }),
  )

  for (const state of ["fails", "silent", "loses answers"] as const) {
    it.effect(`limits by its own counts while the shared counts are away (${state}), and reports them afterwards`, () =>
      Effect.gen(function* () {
        const line = new Line()
        const [one, two] = [yield* gateway(line), yield* gateway(line)]
        yield* takeMany(one.limits, free, 2)
        line.state = state
        const waiting = yield* Effect.forEach(Array.from({ length: LIMIT + 1 }), () =>
          Effect.forkChild(Effect.exit(two.limits.take(free, connection))),
        )
        yield* TestClock.adjust("2 seconds")
        const exits = yield* Effect.forEach(waiting, Fiber.join)
        assert.lengthOf(exits.filter(Exit.isSuccess), LIMIT)
        line.state = "up"
        yield* TestClock.adjust("3 seconds")
        assert.strictEqual(line.book.total(free.keyId, 5_050).connections, LIMIT + 2)
        assert.lengthOf(yield* takeMany(one.limits, free, 1), 0)
        for (const exit of exits.filter(Exit.isSuccess).slice(0, 3)) exit.value.release()
        yield* TestClock.adjust("300 millis")
        assert.lengthOf(yield* takeMany(one.limits, free, 3), 1)
      }),
    )
  }

  it.effect("reports everything again if the shared counts have lost it", () =>
    Effect.gen(function* () {
      const line = new Line()
      const one = yield* gateway(line)
      yield* takeMany(one.limits, free, LIMIT)
      const book = new CountsBook()
      const empty = countsOf(book)
      Object.assign(line.port, { exchange: empty.exchange, leave: empty.leave })
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(book.total(free.keyId, 2_050).connections, LIMIT)
    }),
  )
})
