import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { type Check, ok } from "../../src/health/Check.ts"
import { Health } from "../../src/health/Health.ts"

/** A component that answers when the latch is done, and counts how often it was asked. */
const component = (name: Check["name"], answer: Deferred.Deferred<void>) => {
  const asked = { count: 0 }
  const find = Effect.suspend(() => {
    asked.count += 1
    return Effect.as(Deferred.await(answer), ok("it answers"))
  })
  return { asked, check: { name, find } }
}

/** Requests a report, and lets the checks take as long as they may. */
const reported = (health: Health["Service"]) =>
  Effect.gen(function* () {
    const asking = yield* Effect.forkChild(health.report, { startImmediately: true })
    yield* TestClock.adjust("1 second")
    return yield* Fiber.join(asking)
  })

describe("checks", () => {
  it.effect("are asked at most once a second, in parallel", () =>
    Effect.gen(function* () {
      const [first, second] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const [log, database] = [component("log", first), component("database", second)]
      const health = yield* Health.reportingOn([log.check, database.check])
      const asking = yield* Effect.forEach([1, 2, 3], () => Effect.forkChild(health.report, { startImmediately: true }))
      yield* Effect.yieldNow
      assert.deepStrictEqual([log.asked.count, database.asked.count], [1, 1])
      yield* Deferred.succeed(second, undefined)
      yield* Deferred.succeed(first, undefined)
      for (const fiber of asking) assert.strictEqual((yield* Fiber.join(fiber)).status, "ok")
      yield* TestClock.adjust("999 millis")
      yield* health.report
      assert.strictEqual(log.asked.count, 1)
      yield* TestClock.adjust("1 millis")
      yield* health.report
      assert.strictEqual(log.asked.count, 2)
    }),
  )
})

describe("a check", () => {
  it.effect("has a second, and a component that hangs is not asked again until it has answered", () =>
    Effect.gen(function* () {
      const answer = yield* Deferred.make<void>()
      const { asked, check } = component("log", answer)
      const health = yield* Health.reportingOn([check])
      assert.deepStrictEqual((yield* reported(health)).components, [{ name: "log", status: "failed", reason: "no answer for 1 s" }])
      yield* TestClock.adjust("1 second")
      const later = yield* reported(health)
      assert.deepStrictEqual([later.status, asked.count], ["failed", 1])
      yield* Deferred.succeed(answer, undefined)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual([(yield* health.report).status, asked.count], ["ok", 2])
    }),
  )
})
