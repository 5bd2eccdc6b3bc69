/** Tests the pure modules of the tennis pages without a browser: curves, the layout of a bracket, and events. */
import { assert, describe, it } from "@effect/vitest"
import { rowsOf, spotOf } from "@matchpoint/tennis/pages/archive/bracketLayout"
import { rankingPath, scaleOf } from "@matchpoint/tennis/pages/archive/rankingCurve"
import { areaPath, curveOf, linePath, roomFor, withCrossings } from "@matchpoint/tennis/pages/live/momentumCurve"
import { shownEvent } from "@matchpoint/tennis/pages/live/shownEvent"
import { roundName } from "@matchpoint/tennis/pages/words"
import { Schema } from "effect"

const numbersIn = (path: string) => Array.from(path.matchAll(/-?\d+(?:\.\d+)?/g), ([text]) => Number(text))

describe("momentum curve", () => {
  it("starts at zero and has room for points to come", () => {
    assert.deepStrictEqual(curveOf([0.5, -0.25]), [
      { x: 0, y: 0 },
      { x: 1 / 40, y: 0.5 },
      { x: 2 / 40, y: -0.25 },
    ])
    assert.deepStrictEqual([0, 1, 40, 41].map(roomFor), [40, 40, 40, 80])
  })

  it("crosses zero between points of different signs", () => {
    const crossed = withCrossings([
      { x: 0, y: 0.5 },
      { x: 1, y: -0.5 },
    ])
    assert.deepStrictEqual(crossed[1], { x: 0.5, y: 0 })
    assert.lengthOf(crossed, 3)
  })

  const Momentum = Schema.Array(Schema.Finite.check(Schema.isBetween({ minimum: -1, maximum: 1 })))

  it.prop("stays in its box, with the areas of the sides above and below the middle", [Momentum], ([momentum]) => {
    const curve = curveOf(momentum)
    const heights = (path: string) => numbersIn(path).filter((_, index) => index % 2 === 1)
    for (const y of heights(linePath(curve, 1000, 200))) assert.isTrue(y >= 0 && y <= 200)
    for (const y of heights(areaPath(curve, 1, 1000, 200))) assert.isTrue(y >= 0 && y <= 100)
    for (const y of heights(areaPath(curve, -1, 1000, 200))) assert.isTrue(y >= 100 && y <= 200)
  })
})

describe("ranking curve", () => {
  const row = (date: string, rank: number) => ({ date, rank })

  it("has the first rank at the top and the newest list at the right", () => {
    assert.strictEqual(rankingPath([row("2024-02-05", 1), row("2024-01-01", 100)], 1000, 200), "M0 200L1000 0")
  })

  it("is interrupted where lists are missing for long", () => {
    assert.match(rankingPath([row("2020-01-06", 5), row("2022-01-03", 10), row("2022-01-10", 9)], 100, 100), /^M[^LM]+M[^LM]+L[^LM]+$/)
  })

  it("marks at most eight years, and only ranks that occur", () => {
    const { ranks, years } = scaleOf([row("1990-06-04", 1200), row("2024-06-03", 1)])
    assert.deepStrictEqual(
      ranks.map(({ text }) => text),
      ["1", "10", "100", "1000"],
    )
    assert.isAtMost(years.length, 8)
    for (const { at } of years) assert.isTrue(at >= 0 && at <= 1)
    assert.deepStrictEqual(
      scaleOf([row("2024-01-01", 3), row("2024-03-04", 2)]).ranks.map(({ text }) => text),
      ["1", "10"],
    )
  })
})

describe("bracket layout", () => {
  it("puts a place between the two places that feed it", () => {
    for (const [round, position] of [
      [0, 1],
      [0, 2],
      [2, 5],
      [5, 1],
    ] as const) {
      const { row, span } = spotOf(round + 1, position)
      const upper = spotOf(round, 2 * position - 1)
      const lower = spotOf(round, 2 * position)
      assert.strictEqual(row, upper.row)
      assert.strictEqual(row + span, lower.row + lower.span)
      assert.strictEqual(upper.row + upper.span, lower.row)
    }
  })

  it("has rows for byes in the first round", () => {
    assert.strictEqual(rowsOf([{ places: [{ position: 2 }] }, { places: [{ position: 1 }, { position: 2 }] }]), 4)
    assert.strictEqual(rowsOf([]), 0)
  })
})

describe("events of a live match", () => {
  const point = {
    eventId: "1-9",
    type: "point",
    at: "2026-01-01T00:00:00Z",
    set: 1,
    game: 3,
    point: 5,
    server: 1,
    winner: 2,
    kind: "normal",
  } as const
  const after = { momentum: -0.2, sets: [{ side1: 1, side2: 2, tie_break: null }], points: { side1: "0", side2: "15" } }

  it("have the points after a point, and the games after the end of a game", () => {
    assert.deepInclude(shownEvent({ ...point, won: "point" }, 9, after).point, { score: "0–15", isBreak: false })
    assert.deepInclude(shownEvent({ ...point, won: "game" }, 9, after).point, { score: "1–2", isBreak: true })
  })

  it("are no breaks if they end a tie-break", () => {
    const tieBreak = { ...after, sets: [{ side1: 6, side2: 7, tie_break: { side1: 5, side2: 7 } }] }
    assert.deepInclude(shownEvent({ ...point, won: "set" }, 9, tieBreak).point, { score: "6–7", isBreak: false })
  })

  it("are kept without a point if they are none", () => {
    const event = shownEvent({ eventId: "1-2", type: "suspended", at: point.at }, 2, after)
    assert.deepInclude(event, { type: "suspended", point: null, momentum: -0.2 })
  })
})

describe("rounds", () => {
  it("have names", () => {
    assert.deepStrictEqual(["F", "QF", "R64", "Q2", "X"].map(roundName), [
      "Final",
      "Quarter-finals",
      "Round of 64",
      "Qualifying, round 2",
      "X",
    ])
  })
})
