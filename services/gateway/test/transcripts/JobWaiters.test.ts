import { assert, describe, it } from "@effect/vitest"
import { StoreError } from "@matchpoint/store/StoreError"
import { TranscriptRequests } from "@matchpoint/store/transcripts/TranscriptRequests"
import { TranscriptSignals } from "@matchpoint/store/transcripts/TranscriptSignals"
import { Duration, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { JobWaiters } from "../../src/transcripts/JobWaiters.ts"
import { TranscriptConfig } from "../../src/transcripts/TranscriptConfig.ts"

const unused = () => Effect.die("not used here")

/** A store in which a test finishes jobs. */
const fakeStore = () => {
  const done = new Set<string>()
  const looks: Array<ReadonlyArray<string>> = []
  const state = { isAway: false }
  const layer = Layer.succeed(
    TranscriptRequests,
    TranscriptRequests.of({
      open: unused,
      get: unused,
      bill: unused,
      cancel: unused,
      finished: (jobIds) =>
        Effect.suspend(() => {
          looks.push(jobIds)
          if (state.isAway) return Effect.fail(new StoreError({ operation: "finished", cause: new Error("away") }))
          return Effect.succeed(new Set(jobIds.filter((jobId) => done.has(jobId))))
        }),
    }),
  )
  return { done, looks, state, layer }
}

const config = Layer.effect(
  TranscriptConfig,
  Effect.map(TranscriptConfig, (defaults) => ({
    ...defaults,
    wait: Duration.seconds(10),
    lookEvery: Duration.seconds(1),
    maxWaiting: 3,
  })),
)

const waitersOn = (store: ReturnType<typeof fakeStore>) =>
  JobWaiters.layer.pipe(Layer.provide([store.layer, config]), Layer.provideMerge(TranscriptSignals.layer))

/** Runs a test with waiters on a fake store. */
const withWaiters = (test: (store: ReturnType<typeof fakeStore>) => Effect.Effect<void, never, JobWaiters | TranscriptSignals>) => () => {
  const store = fakeStore()
  return test(store).pipe(Effect.provide(waitersOn(store)))
}

const waiting = (jobId: string) => Effect.flatMap(JobWaiters, ({ wait }) => Effect.forkChild(wait(jobId), { startImmediately: true }))
const isOver = (fiber: Fiber.Fiber<void>) => fiber.pollUnsafe() !== undefined

describe("JobWaiters", () => {
  it.effect(
    "one look at the signal ends the wait of every request for a finished job",
    withWaiters(
      Effect.fnUntraced(function* ({ done, looks }) {
        const fibers = [yield* waiting("a"), yield* waiting("a"), yield* waiting("b")]
        yield* TestClock.adjust("100 millis")
        done.add("a")
        yield* (yield* TranscriptSignals).finished.send
        yield* TestClock.adjust("1 millis")
        assert.deepStrictEqual(fibers.map(isOver), [true, true, false])
        assert.deepStrictEqual(looks, [["a", "b"]])
      }),
    ),
  )

  it.effect(
    "a job that another process finishes is found at the next regular look, also after a failure of the database",
    withWaiters(
      Effect.fnUntraced(function* ({ done, state }) {
        const fiber = yield* waiting("a")
        state.isAway = true
        done.add("a")
        yield* TestClock.adjust("1 second")
        assert.isFalse(isOver(fiber))
        state.isAway = false
        yield* TestClock.adjust("2 seconds")
        assert.isTrue(isOver(fiber))
      }),
    ),
  )

  it.effect(
    "a wait ends after the configured time, and no look is made while no request waits",
    withWaiters(
      Effect.fnUntraced(function* ({ looks }) {
        const fiber = yield* waiting("a")
        yield* TestClock.adjust("9 seconds")
        assert.isFalse(isOver(fiber))
        yield* TestClock.adjust("1 second")
        assert.isTrue(isOver(fiber))
        const before = looks.length
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(looks.length, before)
        assert.isFalse(isOver(yield* waiting("a")))
      }),
    ),
  )

  it.effect(
    "requests beyond the maximum do not wait, and a request that ends makes room",
    withWaiters(
      Effect.fnUntraced(function* () {
        const fibers = yield* Effect.forEach(["a", "b", "c"], waiting)
        const fourth = yield* waiting("d")
        yield* TestClock.adjust("1 millis")
        assert.deepStrictEqual([...fibers, fourth].map(isOver), [false, false, false, true])
        const [first] = fibers
        if (first !== undefined) yield* Fiber.interrupt(first)
        const fifth = yield* waiting("e")
        yield* TestClock.adjust("1 millis")
        assert.isFalse(isOver(fifth))
      }),
    ),
  )
})
