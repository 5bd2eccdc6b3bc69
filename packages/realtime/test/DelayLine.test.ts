import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { DelayLine } from "../src/DelayLine.ts"
import { flushWindowMs, MAX_WINDOW_MS, smoothed } from "../src/flushWindow.ts"
import { TokenBuckets } from "../src/TokenBuckets.ts"
import { frame } from "./frames.ts"
import { retained } from "./retained.ts"

const Step = Schema.Struct({
  /** How the two clocks move before the frame comes. */
  log: Schema.Int.check(Schema.isBetween({ minimum: -50, maximum: 200 })),
  here: Schema.Int.check(Schema.isBetween({ minimum: -50, maximum: 200 })),
})

describe("DelayLine", () => {
  it.prop(
    "lets nothing through before it is old enough by both clocks, and everything in order, however clocks jump",
    { steps: Schema.Array(Step).check(Schema.isMaxLength(100)) },
    ({ steps }) => {
      const line = new DelayLine(1_000, 1e9)
      let log = 5_000
      let here = 5_000
      const arrivals: Array<{ readonly log: number; readonly here: number }> = []
      const out: Array<number> = []
      for (const [index, step] of steps.entries()) {
        log += step.log
        here += step.here
        arrivals.push({ log, here })
        line.push(frame(index, { at: log }), here)
        for (let taken = line.take(here); taken !== undefined; taken = line.take(here)) {
          const arrival = arrivals[taken.seq]
          assert.isTrue(arrival !== undefined && here - arrival.log >= 1_000 && here - arrival.here >= 1_000)
          out.push(taken.seq)
        }
      }
      for (let taken = line.take(1e9); taken !== undefined; taken = line.take(1e9)) out.push(taken.seq)
      assert.deepStrictEqual(
        out,
        steps.map((_, index) => index),
      )
      assert.deepStrictEqual([line.size, line.nextDueAt], [0, undefined])
    },
  )

  it("counts from the log's time what was there before it looked", () => {
    const line = new DelayLine(1_000, 1e9)
    line.push(frame(1, { at: 500 }), undefined)
    assert.strictEqual(line.nextDueAt, 1_500)
    assert.isUndefined(line.take(1_499))
    assert.strictEqual(line.take(1_500)?.seq, 1)
  })
})

describe("DelayLine, full", () => {
  it("forgets the oldest, and lets nothing through early for it", () => {
    const size = frame(1).update.length + frame(1).delta.length
    const line = new DelayLine(1_000, 3 * size)
    for (const seq of [1, 2, 3, 4, 5]) line.push(frame(seq, { at: seq }), undefined)
    assert.strictEqual(line.size, 3)
    assert.isUndefined(line.take(1_002))
    assert.deepStrictEqual(
      [1_003, 1_004, 1_005, 1_006].map((now) => line.take(now)?.seq),
      [3, 4, 5, undefined],
    )
  })
})

describe("DelayLine, emptied", () => {
  it("does not keep the bytes of frames that were taken or forgotten", async () => {
    const size = frame(1).update.length + frame(1).delta.length
    const line = new DelayLine(1_000, 4.5 * size)
    const pushed = Array.from({ length: 6 }, (_, seq) => {
      const one = frame(seq, { at: seq })
      line.push(one, undefined)
      return new WeakRef(one)
    })
    assert.strictEqual(line.take(1_002)?.seq, 2)
    assert.deepStrictEqual(await retained(pushed), [3, 4, 5])
    assert.strictEqual(line.size, 3)
  })
})

describe("flushWindow", () => {
  it("is nothing while there is time to spare, and never more than the bound", () => {
    assert.deepStrictEqual([0, 0.2, 0.35, 0.45, 0.55, 1].map(flushWindowMs), [0, 0, 0, 10, MAX_WINDOW_MS, MAX_WINDOW_MS])
    assert.strictEqual(flushWindowMs(smoothed(0, 1)), 0)
  })
})

describe("TokenBuckets", () => {
  it("lets a burst through, then as many as it is given, and forgets the one seen longest ago", () => {
    const buckets = new TokenBuckets({ perSecond: 2, burst: 3, capacity: 2 })
    const take = (key: string, now: number, times: number) => Array.from({ length: times }, () => buckets.take(key, now))
    assert.deepStrictEqual(take("a", 0, 4), [true, true, true, false])
    assert.deepStrictEqual(take("a", 500, 2), [true, false])
    // A clock that goes back gives nothing.
    assert.deepStrictEqual(take("a", 100, 1), [false])
    assert.deepStrictEqual(take("b", 500, 1), [true])
    assert.deepStrictEqual(take("c", 500, 1), [true])
    assert.deepStrictEqual(take("a", 500, 3), [true, true, true])
  })
})
