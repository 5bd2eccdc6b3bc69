import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { type RatedSeries, worldRankings } from "../../../src/cs2/rankings/worldRanking.ts"

const DAY = 86_400_000
/** A Monday. */
const START = Date.parse("2026-01-05T00:00:00Z")

const series = (results: ReadonlyArray<readonly [number, number]>, isLan = false): ReadonlyArray<RatedSeries> =>
  results.map(([winner, loser], index) => ({ number: index + 1, at: START + index * DAY, winner, loser, isLan }))

const repeated = (n: number, pair: readonly [number, number]) => Array.from({ length: n }, () => pair)

describe("the world ranking", () => {
  it("ranks on Mondays who has played ten series lately", () => {
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

  it("gives what the formula says", () => {
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

  it("a LAN counts half as much again", () => {
    const points = (isLan: boolean) => worldRankings(series([...repeated(9, [1, 2] as const), [2, 1]], isLan))[0]?.places[0]?.points ?? 0
    assert.notStrictEqual(points(true), points(false))
  })

  const Results = Schema.Array(
    Schema.Struct({ a: Schema.Literals([1, 2, 3]), b: Schema.Literals([4, 5, 6]), first: Schema.Boolean }),
  ).check(Schema.isMinLength(30), Schema.isMaxLength(80))

  it.prop("is the same whatever the order it is told in, and ranks without holes", [Results], ([results]) => {
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
