import { assert, describe, it } from "@effect/vitest"
import { simulatedSeason } from "@matchpoint/game/sample/simulatedSeason"
import { Effect, Stream } from "effect"

const entry = new URL("./countingThread.ts", import.meta.url)

describe("a season that is simulated in a thread", () => {
  it.live("has all steps of the simulation, in order", () =>
    Effect.gen(function* () {
      const steps = yield* Stream.runCollect(simulatedSeason<number>(entry, { seed: 3, now: 0 }))
      assert.deepStrictEqual(steps, [1, 2, 3])
    }),
  )

  it.live("fails if the simulation fails", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(Stream.runCollect(simulatedSeason<number>(entry, { seed: -1, now: 0 })))
      assert.include(String(exit), "nothing to count")
    }),
  )

  it.live("fails if its thread ends between two steps", () =>
    Effect.gen(function* () {
      const taken: Array<number> = []
      const season = simulatedSeason<number>(entry, { seed: 0, now: 0 })
      // The thread ends while nobody waits for a step.
      const error = yield* Effect.flip(
        Stream.runForEach(season, (step) =>
          Effect.delay(
            Effect.sync(() => void taken.push(step)),
            "200 millis",
          ),
        ),
      )
      assert.include(String(error), "the thread that simulates a season ended")
      assert.deepStrictEqual(taken, [1])
    }),
  )

  it.live("can be left before its end", () =>
    Effect.gen(function* () {
      const steps = simulatedSeason<number>(entry, { seed: 1_000_000, now: 0 })
      assert.deepStrictEqual(yield* Stream.runCollect(Stream.take(steps, 2)), [1, 2])
    }),
  )
})
