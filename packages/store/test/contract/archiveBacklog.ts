import { assert, type Vitest } from "@effect/vitest"
import { ArchiveBacklog } from "@matchpoint/cs2/archive/upkeep/ArchiveBacklog"
import { CS2 } from "@matchpoint/cs2/rules/live/cs2Rules"
import { matchNumber } from "@matchpoint/domain/ids"
import { DateTime, Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Matches, type MatchStatus } from "../../src/live/Matches.ts"

const registration = { bestOf: 3, team1: { id: "north", name: "North" }, team2: { id: "south", name: "South" }, config: {} }
const at = DateTime.makeUnsafe("2026-05-01T18:00:00Z")
const MINUTE = Duration.minutes(1)

/** Sets the last change of a match to this many seconds ago. */
const age = (matchNumber: number, seconds: number) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql`UPDATE matches SET changed_at = now() - ${seconds}::integer * interval '1 second' WHERE game = 'cs2' AND match_number = ${matchNumber}`,
  )

export const archiveBacklogContract = (it: Vitest.MethodsNonLive<ArchiveBacklog | Matches | SqlClient.SqlClient>) => {
  it.effect("a change is due once it has settled, until it is archived", () =>
    Effect.gen(function* () {
      const backlog = yield* ArchiveBacklog
      const matches = yield* Matches
      const id = yield* matches.register(CS2, registration)
      const number = matchNumber(id)
      const due = (settled: Duration.Duration) =>
        Effect.map(backlog.due({ settled, after: number - 1, limit: 1 }), (rows) =>
          rows.filter((row) => row.matchNumber === number).map(({ status }) => status),
        )
      const markArchived = (status: MatchStatus, mapsWon: readonly [number, number] = [0, 0]) =>
        backlog.markArchived({ matchNumber: number, status, mapsWon })
      assert.deepStrictEqual(yield* due(MINUTE), [])
      yield* age(number, 59)
      assert.deepStrictEqual(yield* due(MINUTE), [])
      yield* age(number, 61)
      assert.deepStrictEqual(yield* due(MINUTE), ["scheduled"])
      // A match that has just begun is not due yet, and its announcement is not due any more.
      yield* matches.markLive(id, at)
      assert.deepStrictEqual(yield* due(MINUTE), [])
      yield* age(number, 61)
      assert.deepStrictEqual(yield* due(MINUTE), ["live"])
      yield* markArchived("live")
      assert.deepStrictEqual(yield* due(Duration.zero), [])
      // After another map, the new score is due once it has settled. Reporting the previous score as archived does not
      // cover it.
      assert.isTrue(yield* matches.advance(id, [1, 0]))
      assert.isFalse(yield* matches.advance(id, [1, 0]))
      assert.deepStrictEqual(yield* due(MINUTE), [])
      yield* age(number, 61)
      yield* markArchived("live", [0, 0])
      assert.deepStrictEqual(
        (yield* backlog.due({ settled: MINUTE, after: number - 1, limit: 1 })).map(({ mapsWon }) => mapsWon),
        [[1, 0]],
      )
      yield* markArchived("live", [1, 0])
      assert.deepStrictEqual(yield* due(Duration.zero), [])
      yield* matches.finish(id, at, "completed", { seriesScore: [2, 0] })
      assert.deepStrictEqual(yield* due(MINUTE), [])
      yield* age(number, 61)
      assert.deepStrictEqual(yield* due(MINUTE), ["completed"])
      // A late report of an older status does not mark the newest one as archived.
      yield* markArchived("live", [1, 0])
      assert.deepStrictEqual(yield* due(MINUTE), ["completed"])
      yield* markArchived("completed", [1, 0])
      assert.deepStrictEqual(yield* due(Duration.zero), [])
    }),
  )

  it.effect("returns due matches by number, in pages", () =>
    Effect.gen(function* () {
      const backlog = yield* ArchiveBacklog
      const matches = yield* Matches
      const numbers = yield* Effect.forEach([1, 2, 3], () => Effect.map(matches.register(CS2, registration), matchNumber))
      const [first = 0, second, third] = numbers
      const helping = (after: number) =>
        Effect.map(backlog.due({ settled: Duration.zero, after, limit: 2 }), (rows) => rows.map(({ matchNumber }) => matchNumber))
      assert.deepStrictEqual(yield* helping(first - 1), [first, second])
      assert.deepStrictEqual(yield* helping(second ?? 0), [third])
    }),
  )
}
