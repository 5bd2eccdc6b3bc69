import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { movesOf } from "../../../src/rules/rosters/moves.ts"
import { type Appearance, spellsOf } from "../../../src/rules/rosters/stays.ts"

const DAY = 86_400_000
const [A, B, C] = [1, 2, 3]

/** Returns appearances for a team on the given days. */
const on = (team: number, days: ReadonlyArray<number>, role: Appearance["role"] = "player"): ReadonlyArray<Appearance> =>
  days.map((day) => ({ team, role, at: day * DAY }))

const days = (from: number, to: number, step = 5) => Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step)

/** Every team plays every fifth day for two years. */
const always = () => days(0, 730).map((day) => day * DAY)

/** Returns stays as text: team, first day and last day, e.g. `1 0-50`. */
const told = (appearances: ReadonlyArray<Appearance>, matchesOf: (team: number) => ReadonlyArray<number> = always) =>
  spellsOf(appearances, matchesOf).map(
    ({ firstMatchAt, lastMatchAt, role, team }) => `${team}${role === "coach" ? "c" : ""} ${firstMatchAt / DAY}-${lastMatchAt / DAY}`,
  )

const moved = (appearances: ReadonlyArray<Appearance>, matchesOf: (team: number) => ReadonlyArray<number> = always) => {
  const { changes, transfers } = movesOf(spellsOf(appearances, matchesOf))
  return {
    changes: changes.map(({ confidence, effectiveAt, type, team }) => `${type} ${team} on ${effectiveAt / DAY}: ${confidence}`),
    transfers: transfers.map(({ from, status, to, transferredAt }) => `${status} ${from} to ${to} on ${transferredAt / DAY}`),
  }
}

describe("stays with teams", () => {
  it("ignore one match between two of the old team", () => {
    const stand = [...on(A, days(0, 100)), ...on(B, [52]), ...on(A, days(105, 700))]
    assert.deepStrictEqual(told(stand), ["1 0-700"])
    assert.deepStrictEqual(moved(stand), moved([...on(A, days(0, 700))]))
  })

  it("ignore five matches within 30 days as a stand-in, but not six", () => {
    const away = (n: number) => [...on(A, days(0, 100)), ...on(B, days(101, 100 + n, 1)), ...on(A, days(110, 730))]
    assert.deepStrictEqual(told(away(5)), ["1 0-730"])
    assert.deepStrictEqual(told(away(6)), ["1 0-100", "2 101-106", "1 110-730"])
  })

  it("assign a player that alternates between two teams to the one with more matches", () => {
    const turns = days(0, 100, 10).flatMap((day) => [...on(A, [day, day + 2]), ...on(B, [day + 4])])
    assert.deepStrictEqual(told(turns), ["1 0-102"])
  })

  it("give one transfer from team to team, and two after a long time without a team", () => {
    assert.deepStrictEqual(moved([...on(A, days(0, 100)), ...on(B, days(120, 730))]), {
      changes: ["leave 1 on 105: high", "join 2 on 120: high"],
      transfers: ["transferred 1 to 2 on 120"],
    })
    assert.deepStrictEqual(moved([...on(A, days(0, 100)), ...on(B, days(400, 730))]), {
      changes: ["leave 1 on 105: medium", "join 2 on 400: high"],
      transfers: ["left 1 to null on 105", "joined null to 2 on 400"],
    })
  })

  it("bench a missing player first, then end the stay", () => {
    const until = (last: number) => () => days(0, last).map((day) => day * DAY)
    const his = on(A, days(0, 100))
    assert.deepStrictEqual(moved(his, until(115)).changes, [])
    assert.deepStrictEqual(moved(his, until(125)).changes, ["bench 1 on 105: medium"])
    assert.deepStrictEqual(moved(his, until(300)), { changes: ["leave 1 on 105: medium"], transfers: ["left 1 to null on 105"] })
  })

  it("ignore one match for a team that continues without the player, at any time", () => {
    assert.deepStrictEqual(told(on(A, [100])), [])
    assert.deepStrictEqual(told([...on(A, [100]), ...on(B, days(200, 700))]), ["2 200-700"])
    assert.deepStrictEqual(told([...on(A, days(0, 100)), ...on(B, [400])]), ["1 0-100"])
    assert.deepStrictEqual(told([...on(A, days(0, 700)), ...on(B, [715])]), ["1 0-700", "2 715-715"])
  })

  it("continue while the team does not play", () => {
    const founding = () => days(0, 100).map((day) => day * DAY)
    assert.deepStrictEqual(moved(on(A, days(0, 100)), founding), { changes: [], transfers: [] })
  })

  it("record a leave and a join for a player that returns after leaving", () => {
    assert.deepStrictEqual(moved([...on(A, days(0, 100)), ...on(A, days(300, 730))]).transfers, [
      "left 1 to null on 105",
      "joined null to 1 on 300",
    ])
  })

  it("record no transfer for a player that becomes coach of the same team", () => {
    const coach = [...on(A, days(0, 100)), ...on(A, days(105, 730), "coach")]
    assert.deepStrictEqual(moved(coach), { changes: ["coach 1 on 105: high"], transfers: [] })
  })

  it("have a confidence that depends on the number of matches", () => {
    const joined = (n: number) =>
      moved([...on(A, days(0, 100)), ...on(C, days(726, 725 + n, 1))]).changes.find((change) => change.startsWith("join"))
    assert.deepStrictEqual([joined(1), joined(2), joined(5)], ["join 3 on 726: low", "join 3 on 726: medium", "join 3 on 726: high"])
  })
})

const Appearances = Schema.Array(
  Schema.Struct({
    team: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4 })),
    role: Schema.Literals(["player", "player", "player", "coach"]),
    at: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 700 })),
  }),
).check(Schema.isMaxLength(60))

const dated = (generated: typeof Appearances.Type) => generated.map(({ at, role, team }) => ({ team, role, at: at * DAY }))

describe("for any line-ups", () => {
  it.prop("stays are in order and start and end with an appearance", [Appearances], ([generated]) => {
    const his = dated(generated)
    const spells = spellsOf(his, always)
    assert.isAtMost(spells.length, his.length)
    spells.forEach((spell, index) => {
      const next = spells[index + 1]
      assert.isAtMost(spell.firstMatchAt, spell.lastMatchAt)
      for (const at of [spell.firstMatchAt, spell.lastMatchAt]) {
        assert.isTrue(his.some((one) => one.at === at && one.team === spell.team && one.role === spell.role))
      }
      if (next === undefined) return
      assert.isAtMost(spell.lastMatchAt, next.firstMatchAt)
      assert.isNotNull(spell.leftAt)
      assert.isTrue((spell.leftAt ?? 0) >= spell.lastMatchAt && (spell.leftAt ?? 0) <= next.firstMatchAt)
    })
    assert.isAtMost(
      spells.reduce((sum, { matches }) => sum + matches, 0),
      his.length,
    )
  })

  it.prop("stays do not depend on the order of the appearances", [Appearances], ([generated]) => {
    const his = dated(generated)
    assert.deepStrictEqual(spellsOf(his.toReversed(), always), spellsOf(his, always))
  })

  it.prop("every transfer starts at the team where the previous one ended", [Appearances], ([generated]) => {
    const { transfers } = movesOf(spellsOf(dated(generated), always))
    let at: number | null | undefined
    for (const { from, joinedAt, leftAt, to, transferredAt } of transfers) {
      if (at !== undefined) assert.strictEqual(from, at)
      at = to
      assert.isTrue(from !== to || from === null)
      assert.isTrue(joinedAt === null || leftAt === null || leftAt <= joinedAt)
      assert.isTrue(transferredAt === joinedAt || transferredAt === leftAt)
    }
  })
})
