import { assert, describe, it } from "@effect/vitest"
import { factId, matchIdOf } from "@matchpoint/domain/ids"
import { TENNIS } from "@matchpoint/domain/tennis/game"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import type { FactsSubmission } from "../../src/GameFeed.ts"
import { SubmissionLimit } from "../../src/intake/SubmissionLimit.ts"

const one = matchIdOf(TENNIS, 1)
const submission = (facts: number): FactsSubmission => ({
  _tag: "Facts",
  facts: Array.from({ length: facts }, (_, n) => ({ id: factId(`${n}`), type: "Any", observedAt: 0, payload: {} })),
})

/** Submissions of 64 facts each, which do not end before `end`. `started` counts those that have begun. */
const busyLimit = Effect.fnUntraced(function* (submissions: number) {
  const limit = new SubmissionLimit()
  const gate = yield* Deferred.make<void>()
  const counts = { started: 0 }
  const work = Effect.suspend(() => {
    counts.started += 1
    return Deferred.await(gate)
  })
  const run = Effect.forkChild(Effect.result(limit.run(one, submission(64), work)), { startImmediately: true })
  const fibers = yield* Effect.replicateEffect(run, submissions)
  return { limit, counts, fibers, end: Deferred.succeed(gate, undefined) }
})

describe("the limit of submissions", () => {
  it.effect("works on 512 facts at a time and lets others wait", () =>
    Effect.gen(function* () {
      const { counts, end, fibers } = yield* busyLimit(10)
      assert.strictEqual(counts.started, 8)
      yield* end
      yield* Effect.forEach(fibers, Fiber.join)
      assert.strictEqual(counts.started, 10)
    }),
  )

  it.effect("refuses at once what would wait too long", () =>
    Effect.gen(function* () {
      const { limit } = yield* busyLimit(8 + 16)
      const refused = yield* Effect.flip(limit.run(one, submission(1), Effect.void))
      assert.strictEqual(refused._tag, "SessionBusy")
    }),
  )

  it.effect("does not start a submission whose sender may be about to give up", () =>
    Effect.gen(function* () {
      const { counts, end, fibers } = yield* busyLimit(9)
      yield* TestClock.adjust("1100 millis")
      yield* end
      const results = yield* Effect.forEach(fibers, Fiber.join)
      assert.deepStrictEqual(
        results.map(({ _tag }) => _tag),
        [...Array<string>(8).fill("Success"), "Failure"],
      )
      assert.strictEqual(counts.started, 8)
    }),
  )

  it.effect("does not start a submission whose sender has given up, and gives its place to others", () =>
    Effect.gen(function* () {
      const { counts, end, fibers, limit } = yield* busyLimit(8 + 16)
      yield* Effect.forEach(fibers.slice(8), Fiber.interrupt)
      const waiting = yield* Effect.forkChild(limit.run(one, submission(1), Effect.succeed("done")), { startImmediately: true })
      yield* end
      assert.strictEqual(yield* Fiber.join(waiting), "done")
      assert.strictEqual(counts.started, 8)
    }),
  )
})
