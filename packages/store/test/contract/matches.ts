import { assert, type Vitest } from "@effect/vitest"
import { gameName, matchIdOf, matchNumber } from "@matchpoint/domain/ids"
import { DateTime, Effect, Option } from "effect"
import { isOpenResult, Matches, type MatchRegistration } from "../../src/live/Matches.ts"

const registration: MatchRegistration = {
  bestOf: 3,
  team1: { id: "north", name: "North 北" },
  team2: { id: "south", name: `South "O'Brien"` },
  config: { maps: ["nuke", null], seed: 7, nested: { deep: true } },
}

/** Games used only by this suite. */
const chess = gameName("chess")
const draughts = gameName("draughts")
const unknown = matchIdOf(chess, 1)

const start = DateTime.makeUnsafe("2026-05-01T18:00:00.123Z")
const end = DateTime.makeUnsafe("2026-05-01T20:30:00Z")

export const matchesContract = (it: Vitest.MethodsNonLive<Matches>) => {
  it.effect("assigns distinct numbers from 1001 on to concurrent registrations", () =>
    Effect.gen(function* () {
      const matches = yield* Matches
      const ids = yield* Effect.forEach(Array(40).fill(registration), (one: MatchRegistration) => matches.register(chess, one), {
        concurrency: "unbounded",
      })
      assert.deepStrictEqual(
        ids.map(matchNumber).sort((a, b) => a - b),
        Array.from({ length: 40 }, (_, n) => 1001 + n),
      )
    }),
  )

  it.effect("registers a match once per key and per external id of a game, also for concurrent requests", () =>
    Effect.gen(function* () {
      const matches = yield* Matches
      const once = (content: number, { externalId, key }: { readonly key?: string; readonly externalId?: string }, game = chess) =>
        matches.registerOnce(game, registration, { key, externalId, hash: new Uint8Array(32).fill(content) })
      const all = yield* Effect.forEach(Array.from({ length: 20 }), () => once(1, { key: "a", externalId: "x" }), {
        concurrency: "unbounded",
      })
      const first = all.find(({ _tag }) => _tag === "Registered") ?? assert.fail("none is the first")
      assert.lengthOf(
        all.filter(({ _tag }) => _tag === "Repeated"),
        19,
      )
      for (const one of all) assert.deepStrictEqual(one, { ...first, _tag: one._tag })
      const { matchId } = first
      assert.deepStrictEqual(yield* once(1, { externalId: "x" }), { ...first, _tag: "Repeated" })
      assert.deepStrictEqual(yield* once(1, { key: "b", externalId: "x" }), { ...first, _tag: "Repeated" })
      assert.deepStrictEqual(yield* once(2, { key: "a" }), { _tag: "OtherContent", matchId })
      assert.deepStrictEqual(yield* once(2, { externalId: "x" }), { _tag: "OtherContent", matchId })
      const others = [yield* once(1, { key: "a" }, gameName("checkers")), yield* once(1, {}), yield* once(1, {})]
      assert.deepStrictEqual(
        others.map(({ _tag }) => _tag),
        ["Registered", "Registered", "Registered"],
      )
      // One key and one id that belong to two matches.
      yield* once(1, { key: "c" })
      assert.strictEqual((yield* once(1, { key: "c", externalId: "x" }))._tag, "OtherContent")
    }),
  )

  it.effect("numbers each game's matches separately, and keeps equal numbers of two games apart", () =>
    Effect.gen(function* () {
      const matches = yield* Matches
      const id = yield* matches.register(chess, registration)
      const namesake = matchIdOf(draughts, matchNumber(id))
      assert.deepStrictEqual(yield* matches.find(namesake), Option.none())
      assert.isFalse(yield* matches.markLive(namesake, start))
      assert.isFalse(yield* matches.finish(namesake, end, "completed", {}))
      assert.isTrue(yield* matches.markLive(id, start))
      assert.isFalse(yield* matches.advance(namesake, [1, 0]))
      assert.strictEqual(Option.getOrThrow(yield* matches.find(id)).status, "live")
      assert.strictEqual(yield* matches.register(draughts, registration), "draughts-match-1001")
      const listed = (yield* matches.listActive(draughts)).map(({ matchId }) => matchId)
      assert.deepStrictEqual(listed, [matchIdOf(draughts, 1001)])
    }),
  )

  it.effect("returns a match as it was registered", () =>
    Effect.gen(function* () {
      const matches = yield* Matches
      const id = yield* matches.register(chess, registration)
      const { createdAt, ...match } = Option.getOrThrow(yield* matches.find(id))
      assert.deepStrictEqual(match, { ...registration, matchId: id, status: "scheduled", startedAt: null, endedAt: null, result: null })
      assert.isAbove(createdAt.epochMilliseconds, end.epochMilliseconds - 365 * 86_400_000)
      assert.deepStrictEqual(yield* matches.find(unknown), Option.none())
    }),
  )

  it.effect("passes through scheduled, live and completed once, and ignores repetitions", () =>
    Effect.gen(function* () {
      const matches = yield* Matches
      const id = yield* matches.register(chess, registration)
      assert.isTrue(yield* matches.markLive(id, start))
      assert.isFalse(yield* matches.markLive(id, end))
      assert.isTrue(yield* matches.finish(id, end, "completed", { winner: "north", maps: [16, 14] }))
      assert.isFalse(yield* matches.finish(id, start, "cancelled", null))
      assert.isFalse(yield* matches.markLive(id, end))
      const match = Option.getOrThrow(yield* matches.find(id))
      assert.strictEqual(match.status, "completed")
      assert.deepStrictEqual([match.startedAt, match.endedAt], [start, end])
      assert.deepStrictEqual(match.result, { winner: "north", maps: [16, 14] })
    }),
  )

  it.effect("replaces an open result once, and no other result", () =>
    Effect.gen(function* () {
      const matches = yield* Matches
      const id = yield* matches.register(chess, registration)
      assert.isFalse(yield* matches.settle(id, { winner: "north" }))
      yield* matches.finish(id, end, "completed", { isOpen: true })
      assert.isTrue(isOpenResult(Option.getOrThrow(yield* matches.find(id)).result))
      assert.isTrue(yield* matches.settle(id, { winner: "north" }))
      assert.isFalse(yield* matches.settle(id, { winner: "south" }))
      assert.deepStrictEqual(Option.getOrThrow(yield* matches.find(id)).result, { winner: "north" })
    }),
  )

  it.effect("cancels a match that never went live", () =>
    Effect.gen(function* () {
      const matches = yield* Matches
      const id = yield* matches.register(chess, registration)
      assert.isTrue(yield* matches.finish(id, end, "cancelled", null))
      const match = Option.getOrThrow(yield* matches.find(id))
      assert.deepStrictEqual([match.status, match.startedAt, match.result], ["cancelled", null, null])
    }),
  )

  it.effect("does nothing for a match that does not exist", () =>
    Effect.gen(function* () {
      const matches = yield* Matches
      assert.isFalse(yield* matches.markLive(unknown, start))
      assert.isFalse(yield* matches.finish(unknown, end, "completed", {}))
    }),
  )

  it.effect("lists scheduled and live matches, oldest first", () =>
    Effect.gen(function* () {
      const matches = yield* Matches
      const scheduled = yield* matches.register(chess, registration)
      const live = yield* matches.register(chess, registration)
      const over = yield* matches.register(chess, registration)
      yield* matches.markLive(live, start)
      yield* matches.finish(over, end, "completed", {})
      const listed = (yield* matches.listActive(chess)).map((match) => match.matchId)
      assert.includeMembers(listed, [scheduled, live])
      assert.notInclude(listed, over)
      assert.deepStrictEqual(
        listed,
        [...listed].sort((left, right) => matchNumber(left) - matchNumber(right)),
      )
    }),
  )

  it.effect("rejects a match with zero maps", () =>
    Effect.gen(function* () {
      const matches = yield* Matches
      const error = yield* Effect.flip(matches.register(chess, { ...registration, bestOf: 0 }))
      assert.deepStrictEqual([error._tag, error.operation], ["StoreError", "Matches.register"])
    }),
  )

  it.effect("lists the matches of all games that are not over or whose result is not final", () =>
    Effect.gen(function* () {
      const matches = yield* Matches
      const [scheduled, live, open, closed, cancelled] = [
        yield* matches.register(chess, registration),
        yield* matches.register(draughts, registration),
        yield* matches.register(chess, registration),
        yield* matches.register(chess, registration),
        yield* matches.register(draughts, registration),
      ]
      yield* matches.markLive(live, start)
      yield* matches.finish(open, end, "completed", { isOpen: true })
      yield* matches.finish(closed, end, "completed", { isOpen: false })
      yield* matches.finish(cancelled, end, "cancelled", null)
      const listed = new Set<string>(yield* matches.listUnsettled)
      assert.deepStrictEqual(
        [scheduled, live, open, closed, cancelled].map((id) => listed.has(id)),
        [true, true, true, false, false],
      )
      yield* matches.settle(open, { isOpen: false })
      assert.notInclude(yield* matches.listUnsettled, open)
    }),
  )
}
