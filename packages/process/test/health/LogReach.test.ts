import { assert, describe, it } from "@effect/vitest"
import { EventLog, LogError } from "@matchpoint/bus/EventLog"
import { LATER_BY_MS, LogReachReports } from "@matchpoint/store/live/LogReachReports"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { LogReach } from "../../src/health/LogReach.ts"

const away = new LogError({ operation: "bounds", target: "FEED", reason: "Unavailable", retryable: true, detail: "away" })

/** The log and the reports of others, as the test sets them. */
class World {
  logAnswers = true
  othersReach = true
  databaseAnswers = true
  readonly reported: Array<number> = []

  readonly layer = LogReach.layer("gateway").pipe(
    Layer.provide(
      Layer.mock(EventLog, {
        bounds: () => Effect.suspend(() => (this.logAnswers ? Effect.succeed({ first: 1, last: 1 }) : Effect.fail(away))),
      }),
    ),
    Layer.provide(
      Layer.mock(LogReachReports, {
        report: ({ silentMs }) =>
          Effect.suspend(() => {
            this.reported.push(silentMs)
            return this.databaseAnswers ? Effect.succeed(this.othersReach && silentMs > LATER_BY_MS) : Effect.never
          }),
      }),
    ),
  )
}

const inWorld = (test: (world: World, isCutOff: () => boolean) => Effect.Effect<void>) =>
  Effect.suspend(() => {
    const world = new World()
    return Effect.flatMap(LogReach, ({ isCutOff }) => Effect.andThen(TestClock.adjust("2 seconds"), test(world, isCutOff))).pipe(
      Effect.provide(world.layer),
    )
  })

describe("whether a process is cut off from the log", () => {
  it.effect("it is if the log answers others, and no longer when the log answers again", () =>
    inWorld((world, isCutOff) =>
      Effect.gen(function* () {
        assert.isFalse(isCutOff())
        assert.isAtMost(Math.max(...world.reported), 150)
        world.logAnswers = false
        yield* TestClock.adjust("750 millis")
        assert.isFalse(isCutOff(), "the log may be slow")
        yield* TestClock.adjust("750 millis")
        assert.isTrue(isCutOff())
        assert.isAtLeast(world.reported.at(-1) ?? 0, 1_000)
        world.logAnswers = true
        yield* TestClock.adjust("500 millis")
        assert.isFalse(isCutOff())
      }),
    ),
  )

  it.effect("it is not if the log is away for all, nor at once when another process is the first to reach it again", () =>
    inWorld((world, isCutOff) =>
      Effect.gen(function* () {
        world.logAnswers = false
        world.othersReach = false
        yield* TestClock.adjust("10 seconds")
        assert.isFalse(isCutOff())
        world.othersReach = true
        yield* TestClock.adjust("200 millis")
        assert.isFalse(isCutOff())
        yield* TestClock.adjust("1 second")
        assert.isTrue(isCutOff())
      }),
    ),
  )

  it.effect("it is not while the database does not answer", () =>
    inWorld((world, isCutOff) =>
      Effect.gen(function* () {
        world.databaseAnswers = false
        world.logAnswers = false
        yield* TestClock.adjust("10 seconds")
        assert.isFalse(isCutOff())
      }),
    ),
  )
})
