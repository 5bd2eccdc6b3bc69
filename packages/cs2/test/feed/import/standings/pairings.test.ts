import { assert, describe, it } from "@effect/vitest"
import { type ListedSeries, type NameOn, seriesOfDay } from "../../../../src/feed/import/standings/pairings.ts"

const alpha = ["a1", "a2", "a3", "a4", "a5"]
const bravo = ["b1", "b2", "b3", "b4", "b5"]

const listed = (
  [one, first]: readonly [string, ReadonlyArray<string>],
  [two, second]: readonly [string, ReadonlyArray<string>],
  more: Partial<ListedSeries> = {},
): ListedSeries => ({
  date: "2026-01-01",
  teams: [
    { name: one, roster: first },
    { name: two, roster: second },
  ],
  winner: 0,
  ordinal: 0,
  isLan: false,
  seen: 1,
  ...more,
})

const noName: NameOn = () => undefined
const told = (rows: ReadonlyArray<ListedSeries>, nameOn: NameOn = noName) =>
  seriesOfDay(rows, nameOn).map(
    ({ ordinal, teams, winner }) => `${teams[winner].name} beat ${teams[winner === 0 ? 1 : 0].name} #${ordinal}`,
  )

describe("series of a day", () => {
  it("are merged under the team's name of that day if it has two names", () => {
    const rows = [listed(["Alpha", alpha], ["Bravo", bravo]), listed(["Bravo", bravo], ["Omega", alpha], { winner: 1, seen: 3 })]
    assert.deepStrictEqual(told(rows), ["Omega beat Bravo #0"])
    assert.deepStrictEqual(
      told(rows, () => "Alpha"),
      ["Alpha beat Bravo #0"],
    )
  })

  it("have equal line-ups despite another spelling or one changed player, but not with two of five in common", () => {
    const changed = ["A1", "a2", "a3", "x", "y"]
    assert.strictEqual(told([listed(["Alpha", alpha], ["Bravo", bravo]), listed(["Omega", changed], ["Bravo", bravo])]).length, 1)
    assert.strictEqual(
      told([listed(["Alpha", alpha], ["Bravo", bravo]), listed(["Omega", ["a1", "a2", "x", "y", "z"]], ["Bravo", bravo])]).length,
      2,
    )
  })

  it("stay two if the same names play twice", () => {
    const twice = [listed(["Alpha", alpha], ["Bravo", bravo]), listed(["Alpha", alpha], ["Bravo", bravo], { ordinal: 1, winner: 1 })]
    assert.deepStrictEqual(told(twice), ["Alpha beat Bravo #0", "Bravo beat Alpha #1"])
    assert.deepStrictEqual(told([...twice, listed(["Omega", alpha], ["Bravo", bravo])]), ["Alpha beat Bravo #0", "Bravo beat Alpha #1"])
  })

  it("have no team against itself after a name moved from one line-up to the other", () => {
    const rows = [listed(["Alpha", alpha], ["Bravo", bravo]), listed(["Omega", alpha], ["Alpha", bravo], { seen: 2 })]
    assert.deepStrictEqual(
      told(rows, () => "Alpha"),
      ["Omega beat Alpha #0"],
    )
  })

  it("are matched by name if a line-up is missing", () => {
    assert.strictEqual(told([listed(["Alpha", alpha], ["Bravo", []]), listed(["Omega", alpha], ["Bravo", bravo])]).length, 1)
    assert.strictEqual(told([listed(["Alpha", alpha], ["Bravo", []]), listed(["Omega", alpha], ["Charlie", []])]).length, 2)
  })
})
