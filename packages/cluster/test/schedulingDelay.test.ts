import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { schedulingDelay } from "../src/schedulingDelay.ts"

/** Blocks the event loop. */
const block = (millis: number) => Effect.sync(() => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, millis))

describe("schedulingDelay", () => {
  it.live("is the longest time by which the event loop was late", () =>
    Effect.gen(function* () {
      const delayMs = yield* schedulingDelay
      yield* Effect.sleep("200 millis")
      yield* block(700)
      // At once, before any timer runs.
      assert.isAtLeast(delayMs(), 600)
      yield* Effect.sleep("200 millis")
      yield* block(300)
      assert.isAtLeast(delayMs(), 600)
      yield* Effect.sleep("200 millis")
      assert.isAtLeast(delayMs(), 600)
    }).pipe(Effect.scoped),
  )
})
