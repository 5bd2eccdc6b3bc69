import { assert, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { timeoutAwake } from "../src/timeoutAwake.ts"

it.effect("fails after the limit, and not before", () =>
  Effect.gen(function* () {
    const waiting = yield* Effect.forkChild(Effect.flip(timeoutAwake("2 seconds")(Effect.never)))
    yield* Effect.yieldNow
    yield* TestClock.adjust("1999 millis")
    assert.isUndefined(waiting.pollUnsafe())
    yield* TestClock.adjust("1 millis")
    assert.strictEqual((yield* Fiber.join(waiting))._tag, "TimeoutError")
  }),
)

it.live("accepts an answer that was ready while the event loop was busy for longer than the limit", () =>
  Effect.gen(function* () {
    // Arrives in a later phase of the event loop than timers, as what sockets have received does.
    const arrived = Effect.callback<string>((resume) => {
      setImmediate(() => resume(Effect.succeed("answer")))
    })
    const answer = Effect.delay(arrived, "1 millis")
    const busy = Effect.sync(() => {
      const until = performance.now() + 300
      while (performance.now() < until);
    })
    const asking = yield* Effect.forkChild(Effect.exit(timeoutAwake("80 millis")(answer)), { startImmediately: true })
    yield* busy
    assert.deepStrictEqual(yield* Fiber.join(asking), Exit.succeed("answer"))
  }),
)
