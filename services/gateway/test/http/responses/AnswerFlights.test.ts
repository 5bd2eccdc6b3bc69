import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Scheduler } from "effect"
import { AnswerFlights } from "../../../src/http/responses/AnswerFlights.ts"

/** Work that waits for `open` and counts how often it was started. */
const gated = Effect.gen(function* () {
  const open = yield* Deferred.make<void>()
  const state = { begun: 0 }
  const work = (share: (answer: number) => void) =>
    Effect.gen(function* () {
      state.begun += 1
      const answer = state.begun
      yield* Deferred.await(open)
      share(answer)
      return `made ${answer}`
    })
  return { open: Deferred.succeed(open, undefined), state, work }
})

const given = (answer: number) => `given ${answer}`

describe("AnswerFlights", () => {
  it.effect("shares a running computation with requests for the same key, and starts a new one for another key or later", () =>
    Effect.gen(function* () {
      const flights = new AnswerFlights<number>()
      const { open, state, work } = yield* gated
      const asking = yield* Effect.forkChild(
        Effect.forEach(["a", "a", "a", "b"], (key) => flights.join(key, work, given), { concurrency: "unbounded" }),
      )
      yield* Effect.yieldNow
      assert.strictEqual(flights.underWay, 2)
      yield* open
      assert.deepStrictEqual(yield* Fiber.join(asking), ["made 1", "given 1", "given 1", "made 2"])
      assert.strictEqual(flights.underWay, 0)
      assert.strictEqual(yield* flights.join("a", work, given), "made 3")
      assert.strictEqual(state.begun, 3)
    }),
  )

  it.effect("lets all waiting requests compute their own result concurrently if it cannot be shared", () =>
    Effect.gen(function* () {
      const flights = new AnswerFlights<number>()
      const both = yield* Deferred.make<void>()
      let begun = 0
      const refusing = () =>
        Effect.gen(function* () {
          begun += 1
          if (begun === 1) yield* Effect.yieldNow
          else if (begun === 3) yield* Deferred.succeed(both, undefined)
          else yield* Deferred.await(both)
          return yield* Effect.fail(`refused ${begun}`)
        })
      const exits = yield* Effect.forEach([1, 2, 3], () => Effect.exit(flights.join("a", refusing, given)), { concurrency: "unbounded" })
      assert.deepStrictEqual([exits.every(Exit.isFailure), begun, flights.underWay], [true, 3, 0])
    }),
  )

  it.effect("hands over to one waiting request if the computing request is interrupted", () =>
    Effect.gen(function* () {
      const flights = new AnswerFlights<number>()
      const { open, state, work } = yield* gated
      const leader = yield* Effect.forkChild(flights.join("a", work, given))
      yield* Effect.yieldNow
      const waiting = yield* Effect.forkChild(Effect.forEach([1, 2, 3], () => flights.join("a", work, given), { concurrency: "unbounded" }))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(leader)
      yield* Effect.yieldNow
      yield* open
      assert.deepStrictEqual((yield* Fiber.join(waiting)).toSorted(), ["given 2", "given 2", "made 2"])
      assert.strictEqual(state.begun, 2)
    }),
  )

  it.effect("leaves no request waiting, at whatever point the computing request is interrupted", () =>
    Effect.gen(function* () {
      const flights = new AnswerFlights<number>()
      for (let budget = 3; budget < 24; budget++) {
        for (let steps = 0; steps < 12; steps++) {
          const { work } = yield* gated
          // Yields after a few operations, so that the interruption can happen between any two of them.
          const slow = Effect.provideService(flights.join("a", work, given), Scheduler.MaxOpsBeforeYield, budget)
          const leader = yield* Effect.forkChild(slow)
          for (let step = 0; step < steps; step++) yield* Effect.yieldNow
          yield* Fiber.interrupt(leader)
          assert.strictEqual(flights.underWay, 0, `${budget} operations at once, after ${steps} steps`)
        }
      }
    }),
  )

  it.effect("survives the interruption of a waiting request, and does not share defects", () =>
    Effect.gen(function* () {
      const flights = new AnswerFlights<number>()
      const { open, work } = yield* gated
      const leader = yield* Effect.forkChild(flights.join("a", work, given))
      yield* Effect.yieldNow
      const waiting = yield* Effect.forkChild(flights.join("a", work, given))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(waiting)
      yield* open
      assert.strictEqual(yield* Fiber.join(leader), "made 1")
      const dying = () => Effect.die("a bug")
      const exits = yield* Effect.forEach([1, 2], () => Effect.exit(flights.join("b", dying, given)), { concurrency: "unbounded" })
      assert.isTrue(exits.every(Exit.isFailure))
      assert.strictEqual(flights.underWay, 0)
    }),
  )
})
