import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Drain } from "../src/Drain.ts"
import { ok } from "../src/health/Check.ts"
import { Health } from "../src/health/Health.ts"

const status = Effect.flatMap(Health, ({ report }) => Effect.map(report, (found) => found.status))

/** A process whose only component is well. */
const processOf = (drain: Layer.Layer<Drain>) =>
  Health.layer(Effect.succeed([{ name: "database", find: Effect.succeed(ok("it answers")) }])).pipe(Layer.provideMerge(drain))

describe("a process that stops", () => {
  it.effect("is not ready from the first moment, and serves as long as the setting says", () =>
    Effect.gen(function* () {
      const drain = yield* Drain
      assert.strictEqual(yield* status, "ok")
      const stopping = yield* Effect.forkChild(drain.run, { startImmediately: true })
      assert.strictEqual(yield* status, "failed")
      assert.strictEqual(yield* drain.reason, "the process is stopping")
      yield* TestClock.adjust("2999 millis")
      assert.isUndefined(stopping.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      yield* Fiber.join(stopping)
      assert.strictEqual(yield* status, "failed")
    }).pipe(Effect.provide(processOf(Drain.layer("3 seconds")))),
  )

  it.effect("does not wait if its clients get nothing from it", () => {
    let isLost = false
    return Effect.gen(function* () {
      const drain = yield* Drain
      isLost = true
      yield* drain.run
      assert.strictEqual(yield* status, "failed")
    }).pipe(Effect.provide(processOf(Drain.layer("3 seconds", () => isLost))))
  })
})
