import { assert, describe, it } from "@effect/vitest"
import { matchIdOf } from "@matchpoint/domain/ids"
import { TENNIS } from "@matchpoint/tennis/rules/game"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { BoundedTurns } from "../../src/intake/BoundedTurns.ts"

const one = matchIdOf(TENNIS, 1)
const bounds = { atOnce: 2, waitingAtMost: 3, startsWithinMs: 1_000 }

/** Requests that do not end before `end`. `counts.started` counts those that have begun. */
const busyTurns = Effect.fnUntraced(function* (requests: number) {
  const turns = new BoundedTurns(bounds)
  const gate = yield* Deferred.make<void>()
  const counts = { started: 0 }
  const work = Effect.suspend(() => {
    counts.started += 1
    return Deferred.await(gate)
  })
  const run = Effect.forkChild(Effect.result(turns.run(one, work)), { startImmediately: true })
  const fibers = yield* Effect.replicateEffect(run, requests)
  return { turns, counts, fibers, end: Deferred.succeed(gate, undefined) }
})

describe("bounded turns", () => {
  it.effect("let requests wait above the number at once", () =>
    Effect.gen(function* () {
      const { counts, end, fibers } = yield* busyTurns(4)
      assert.strictEqual(counts.started, 2)
      yield* end
      yield* Effect.forEach(fibers, Fiber.join)
      assert.strictEqual(counts.started, 4)
    }),
  )

  it.effect("refuse at once what would wait too long", () =>
    Effect.gen(function* () {
      const { turns } = yield* busyTurns(5)
      const refused = yield* Effect.flip(turns.run(one, Effect.void))
      assert.strictEqual(refused._tag, "SessionBusy")
    }),
  )

  it.effect("do not start a request whose sender may be about to give up", () =>
    Effect.gen(function* () {
      const { counts, end, fibers } = yield* busyTurns(3)
      yield* TestClock.adjust("1100 millis")
      yield* end
      const results = yield* Effect.forEach(fibers, Fiber.join)
      assert.deepStrictEqual(
        results.map(({ _tag }) => _tag),
        ["Success", "Success", "Failure"],
      )
      assert.strictEqual(counts.started, 2)
    }),
  )

  it.effect("do not start a request whose sender has given up, and give its place to others", () =>
    Effect.gen(function* () {
      const { counts, end, fibers, turns } = yield* busyTurns(5)
      yield* Effect.forEach(fibers.slice(2), Fiber.interrupt)
      const waiting = yield* Effect.forkChild(turns.run(one, Effect.succeed("done")), { startImmediately: true })
      yield* end
      assert.strictEqual(yield* Fiber.join(waiting), "done")
      assert.strictEqual(counts.started, 2)
    }),
  )

  it.effect("start requests in the order of their arrival, also if one arrives while a turn ends", () =>
    Effect.gen(function* () {
      const turns = new BoundedTurns({ ...bounds, atOnce: 1 })
      const gate = yield* Deferred.make<void>()
      const order: Array<string> = []
      const fork = Effect.runForkWith(yield* Effect.context<never>())
      const note = (name: string) => Effect.sync(() => order.push(name))
      const run = (work: Effect.Effect<unknown>) => Effect.forkChild(turns.run(one, work), { startImmediately: true })
      const first = yield* run(Effect.andThen(Deferred.await(gate), note("first")))
      const second = yield* run(note("second"))
      first.addObserver(() => void fork(turns.run(one, note("third"))))
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(first)
      yield* Fiber.join(second)
      yield* turns.run(one, Effect.void)
      assert.deepStrictEqual(order, ["first", "second", "third"])
    }),
  )
})
