import { assert, type Vitest } from "@effect/vitest"
import { DateTime, Effect, Option } from "effect"
import { Matches, type MatchRegistration } from "../../src/Matches.ts"

const registration: MatchRegistration = {
  bestOf: 3,
  team1: { id: "north", name: "North 北" },
  team2: { id: "south", name: `South "O'Brien"` },
  config: { maps: ["nuke", null], seed: 7, nested: { deep: true } },
}

const start = DateTime.makeUnsafe("2026-05-01T18:00:00.123Z")
const end = DateTime.makeUnsafe("2026-05-01T20:30:00Z")

export const matchesContract = (it: Vitest.MethodsNonLive<Matches>) => {
  it.effect("gives concurrent registrations distinct numbers from 1001 on", () =>
    Effect.gen(function* () {
      const matches = yield* Matches
      const numbers = yield* Effect.forEach(Array(40).fill(registration), (one: MatchRegistration) => matches.register(one), {
        concurrency: "unbounded",
      })
      assert.strictEqual(new Set(numbers).size, 40)
      assert.strictEqual(Math.min(...numbers), 1001)
    }),
  )

  it.effect("returns a registered match as it was given", () =>
    Effect.gen(function* () {
      const matches = yield* Matches
      const matchNumber = yield* matches.register(registration)
      const { createdAt, ...match } = Option.getOrThrow(yield* matches.find(matchNumber))
      assert.deepStrictEqual(match, { ...registration, matchNumber, status: "scheduled", startedAt: null, endedAt: null, result: null })
      assert.isAbove(createdAt.epochMilliseconds, end.epochMilliseconds - 365 * 86_400_000)
      assert.deepStrictEqual(yield* matches.find(1), Option.none())
    }),
  )

  it.effect("walks scheduled, live, completed once and ignores repetitions", () =>
    Effect.gen(function* () {
      const matches = yield* Matches
      const matchNumber = yield* matches.register(registration)
      assert.isTrue(yield* matches.markLive(matchNumber, start))
      assert.isFalse(yield* matches.markLive(matchNumber, end))
      assert.isTrue(yield* matches.finish(matchNumber, end, "completed", { winner: "north", maps: [16, 14] }))
      assert.isFalse(yield* matches.finish(matchNumber, start, "cancelled", null))
      assert.isFalse(yield* matches.markLive(matchNumber, end))
      const match = Option.getOrThrow(yield* matches.find(matchNumber))
      assert.strictEqual(match.status, "completed")
      assert.deepStrictEqual([match.startedAt, match.endedAt], [start, end])
      assert.deepStrictEqual(match.result, { winner: "north", maps: [16, 14] })
    }),
  )

  it.effect("cancels a match that never went live", () =>
    Effect.gen(function* () {
      const matches = yield* Matches
      const matchNumber = yield* matches.register(registration)
      assert.isTrue(yield* matches.finish(matchNumber, end, "cancelled", null))
      const match = Option.getOrThrow(yield* matches.find(matchNumber))
      assert.deepStrictEqual([match.status, match.startedAt, match.result], ["cancelled", null, null])
    }),
  )

  it.effect("does nothing for a match that does not exist", () =>
    Effect.gen(function* () {
      const matches = yield* Matches
      assert.isFalse(yield* matches.markLive(1, start))
      assert.isFalse(yield* matches.finish(1, end, "completed", {}))
    }),
  )

  it.effect("lists scheduled and live matches, oldest first", () =>
    Effect.gen(function* () {
      const matches = yield* Matches
      const scheduled = yield* matches.register(registration)
      const live = yield* matches.register(registration)
      const over = yield* matches.register(registration)
      yield* matches.markLive(live, start)
      yield* matches.finish(over, end, "completed", {})
      const listed = (yield* matches.listActive).map((match) => match.matchNumber)
      assert.includeMembers(listed, [scheduled, live])
      assert.notInclude(listed, over)
      assert.deepStrictEqual(
        listed,
        [...listed].sort((left, right) => left - right),
      )
    }),
  )

  it.effect("refuses a series of no maps", () =>
    Effect.gen(function* () {
      const matches = yield* Matches
      const error = yield* Effect.flip(matches.register({ ...registration, bestOf: 0 }))
      assert.deepStrictEqual([error._tag, error.operation], ["StoreError", "Matches.register"])
    }),
  )
}
