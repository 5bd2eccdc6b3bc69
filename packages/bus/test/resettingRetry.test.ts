import { assert, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { resettingRetry } from "../src/resettingRetry.ts"

const retry = resettingRetry({ firstMs: 100, longestMs: 5_000 })

/** Work that fails after each of these milliseconds, then succeeds. Records its start times. */
const failingAfter = (lifetimes: ReadonlyArray<number>) => {
  const begunAt: Array<number> = []
  const work = Effect.gen(function* () {
    begunAt.push(yield* Clock.currentTimeMillis)
    const lifetime = lifetimes[begunAt.length - 1]
    if (lifetime === undefined) return "done"
    yield* Effect.sleep(lifetime)
    return yield* Effect.fail("gone")
  })
  return { begunAt, work }
}

it.effect("doubles the delay after each failure, up to the maximum", () =>
  Effect.gen(function* () {
    const { begunAt, work } = failingAfter(Array.from({ length: 9 }, () => 0))
    const running = yield* Effect.forkChild(retry(work))
    yield* TestClock.adjust("1 minute")
    assert.strictEqual(yield* Fiber.join(running), "done")
    assert.deepStrictEqual(
      begunAt.slice(1).map((at, index) => at - (begunAt[index] ?? 0)),
      [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000],
    )
  }),
)

it.effect("resets the delay after an attempt that ran long enough", () =>
  Effect.gen(function* () {
    const { begunAt, work } = failingAfter([0, 0, 0, 60_000, 0])
    yield* Effect.forkChild(retry(work))
    yield* TestClock.adjust("2 minutes")
    assert.deepStrictEqual(
      begunAt.slice(1).map((at, index) => at - (begunAt[index] ?? 0)),
      [100, 200, 400, 60_100, 200],
    )
  }),
)
