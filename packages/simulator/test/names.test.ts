import { assert, describe, it } from "@effect/vitest"
import { nickname, personName, teamName } from "../src/names.ts"

const first = (count: number, name: (n: number) => string) => Array.from({ length: count }, (_, i) => name(i + 1))

describe("names", () => {
  for (const seed of [0, 1, 987_654_321]) {
    it(`of seed ${seed} are unique and always the same`, () => {
      const teams = first(4_000, (n) => teamName(seed, n))
      assert.strictEqual(new Set(teams.map((name) => name.split(" ")[0])).size, teams.length)
      assert.deepStrictEqual(
        teams,
        first(4_000, (n) => teamName(seed, n)),
      )
      const nicks = first(10_000, (n) => nickname(seed, n).toLowerCase())
      assert.strictEqual(new Set(nicks).size, nicks.length)
    })
  }

  it("look like names of teams and people", () => {
    for (let n = 1; n <= 300; n++) {
      assert.match(teamName(1, n), /^[A-Z][a-z]+( [A-Z][a-z]+)?$/)
      assert.match(nickname(1, n), /^[A-Za-z]{4,12}$/)
      assert.match(personName(1, n), /^[A-Z][a-z]+ [A-Z][a-z]+$/)
    }
  })
})
