import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { type RatedSeries, worldRankings } from "../../../src/rules/rankings/worldRanking.ts"

const DAY = 86_400_000
/** A Monday. */
const START = Date.parse("2026-01-05T00:00:00Z")

const series = (results: ReadonlyArray<readonly [number, number]>, isLan = false): ReadonlyArray<RatedSeries> =>
  results.map(([winner, loser], index) => ({ number: index + 1, at: START + index * DAY, winner, loser, isLan }))

const repeated = (n: number, pair: readonly [number, number]) => Array.from({ length: n }, () => pair)

describe("world ranking", () => {
  it("ranks teams on Mondays if they have ten series and played recently", () => {
    const rankings = worldRankings(series(repeated(10, [1, 2])))
    assert.deepStrictEqual(
      rankings.map(({ on, places }) => [new Date(on).toISOString(), places.map(({ rank, team }) => [rank, team])]),
      [
        [
          "2026-01-19T00:00:00.000Z",
          [
            [1, 1],
            [2, 2],
          ],
        ],
      ],
    )
    assert.deepStrictEqual(worldRankings(series(repeated(9, [1, 2]))), [])
    assert.deepStrictEqual(worldRankings([]), [])
  })

  it("computes the points by the formula", () => {
    const [newest] = worldRankings(series(repeated(10, [1, 2])))
    let [winner, loser] = [1_000, 1_000]
    for (let n = 0; n < 10; n++) {
      const gain = 48 * (1 - 1 / (1 + 10 ** ((loser - winner) / 400)))
      winner += gain
      loser -= gain
    }
    assert.deepStrictEqual(
      newest?.places.map(({ points }) => points),
      [Math.round(winner * 10) / 10, Math.round(loser * 10) / 10],
    )
  })

  it("weights a LAN series by 1.5", () => {
    const points = (isLan: boolean) => worldRankings(series([...repeated(9, [1, 2] as const), [2, 1]], isLan))[0]?.places[0]?.points ?? 0
    assert.notStrictEqual(points(true), points(false))
  })

  const WEEK = 7 * DAY
  /**
   * Returns `count` series in the week that starts `week` weeks after the start, between pairs of teams numbered from
   * `from` up.
   */
  const weekOf = (week: number, count: number, from = 1): ReadonlyArray<RatedSeries> =>
    Array.from({ length: count }, (_, index) => ({
      number: week * 1_000 + index,
      at: START + week * WEEK + (index % 7) * DAY,
      winner: from + 2 * (index % 10),
      loser: from + 2 * (index % 10) + 1,
      isLan: false,
    }))
  /** Twenty teams with ten series each. */
  const fullWeek = (week: number) => weekOf(week, 100)

  it("keeps the last ranking after the data ends: a few later matches do not make a week with play", () => {
    const rankings = worldRankings([...fullWeek(0), ...fullWeek(1), ...weekOf(20, 2, 101), ...weekOf(21, 1, 101)])
    assert.deepStrictEqual(
      rankings.map(({ on, places }) => [(on - START) / WEEK, places.length]),
      [
        [1, 20],
        [2, 20],
      ],
    )
  })

  it("drops teams that miss nine weeks with play, but not because of a gap in the archive", () => {
    const afterGap = worldRankings([...fullWeek(0), ...weekOf(20, 100, 101)])
    assert.deepStrictEqual(
      afterGap.map(({ on, places }) => [(on - START) / WEEK, places.length]),
      [
        [1, 20],
        [21, 40],
      ],
    )
    const absent = worldRankings([...fullWeek(0), ...Array.from({ length: 9 }, (_, week) => weekOf(week + 1, 100, 101)).flat()])
    assert.deepStrictEqual(
      absent.map(({ places }) => places.length),
      [20, 40, 40, 40, 40, 40, 40, 40, 40, 20],
    )
  })

  const Results = Schema.Array(
    Schema.Struct({ a: Schema.Literals([1, 2, 3]), b: Schema.Literals([4, 5, 6]), first: Schema.Boolean }),
  ).check(Schema.isMinLength(30), Schema.isMaxLength(80))

  it.prop("does not depend on the order of the series, and ranks without gaps", [Results], ([results]) => {
    const told = series(results.map(({ a, b, first }) => (first ? ([a, b] as const) : ([b, a] as const))))
    const rankings = worldRankings(told)
    assert.deepStrictEqual(worldRankings(told.toReversed()), rankings)
    for (const { places } of rankings) {
      places.forEach(({ points, rank }, index) => {
        assert.strictEqual(rank, index + 1)
        assert.isAtMost(points, places[index - 1]?.points ?? Number.POSITIVE_INFINITY)
      })
    }
  })
})
