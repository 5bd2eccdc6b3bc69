import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { seasonOf } from "../src/sampleData/seasons.ts"
import { simulatedSeason } from "../src/sampleData/simulatedSeason.ts"

const now = Date.UTC(2026, 0, 15, 12)

describe("a season that is simulated in a thread", () => {
  for (const season of ["cod", "apex"] as const) {
    it.live(`has the same steps as one that is simulated here: ${season}`, () =>
      Effect.gen(function* () {
        const steps = yield* Stream.runCollect(simulatedSeason(season, now))
        assert.deepStrictEqual([...steps], [...seasonOf({ season, now })])
      }),
    )
  }

  it.live("ends with a defect if the simulation fails", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(Stream.runDrain(simulatedSeason("cod", Number.NaN)))
      assert.isTrue(exit._tag === "Failure")
    }),
  )

  it.live("can be left before its end", () =>
    Effect.gen(function* () {
      assert.lengthOf(yield* Stream.runCollect(Stream.take(simulatedSeason("cs2", now), 2)), 2)
    }),
  )
})
