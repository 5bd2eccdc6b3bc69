import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { type RankingFilter, Rankings } from "../../../src/archive/rankings/Rankings.ts"
import type { ArchiveIt } from "../sampled.ts"

const day = (text: string): Date => new Date(text)

const ask = (filter: Partial<RankingFilter>) =>
  Effect.flatMap(Rankings, (rankings) => rankings.ranking({ source: "world", region: "global", limit: 10, offset: 0, ...filter }))

const places = ({
  rows,
}: {
  readonly rows: ReadonlyArray<{ readonly rank: number; readonly teamName: string; readonly movement: number | null }>
}) => rows.map(({ movement, rank, teamName }) => [rank, teamName, movement])

export const rankingReads = (it: ArchiveIt) => {
  it.effect("the newest ranking shows movement since the previous one", () =>
    Effect.gen(function* () {
      const newest = yield* ask({})
      assert.deepStrictEqual([newest.date, newest.previousDate, newest.total], ["2026-11-15", "2026-11-08", 3])
      assert.deepStrictEqual(places(newest), [
        [1, "Alpha Wolves", 1],
        [2, "Team Bravo", -1],
        [3, "Čarodějové", 0],
      ])
      assert.deepStrictEqual(
        [newest.rows[0]?.previousRank, newest.rows[0]?.pointsChange, newest.rows[0]?.team.slug],
        [2, 7, "alpha-wolves"],
      )
    }),
  )

  it.effect("a date selects the ranking in force then; before the first there is none", () =>
    Effect.gen(function* () {
      const older = yield* ask({ at: day("2026-11-14T23:00:00Z") })
      assert.deepStrictEqual([older.date, older.previousDate], ["2026-11-08", null])
      assert.deepStrictEqual(places(older).at(0), [1, "Team Bravo", null])
      assert.deepStrictEqual(yield* ask({ at: day("2020-01-01") }), {
        rows: [],
        before: 0,
        next: null,
        total: 0,
        date: null,
        previousDate: null,
      })
    }),
  )

  it.effect("a region keeps its teams at their world ranks, or uses its own standings", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(places(yield* ask({ region: "europe" })), [
        [1, "Alpha Wolves", 1],
        [3, "Čarodějové", 0],
      ])
      assert.deepStrictEqual(places(yield* ask({ source: "vrs", region: "americas" })), [[2, "Team Bravo", -1]])
    }),
  )

  it.effect("finds a team's place by id or slug; the total counts all pages", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(places(yield* ask({ team: "team-bravo" })), [[2, "Team Bravo", -1]])
      assert.deepStrictEqual(places(yield* ask({ team: "cs2-team-3" })), [[3, "Čarodějové", 0]])
      const second = yield* ask({ limit: 1, offset: 1 })
      assert.deepStrictEqual([second.rows.length, second.total, second.rows[0]?.rank], [1, 3, 2])
    }),
  )
}
