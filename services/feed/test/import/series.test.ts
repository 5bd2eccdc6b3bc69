import { assert, describe, it } from "@effect/vitest"
import { dayOf, type SeenMap, seriesOf } from "@matchpoint/cs2/feed/import/teamPages/series"

const north = { key: "1", name: "North" }
const south = { key: "2", name: "South" }

const seen = (map: string, result: string, order?: number, swapped = false): SeenMap => ({
  team: swapped ? south : north,
  opponent: swapped ? north : south,
  isLan: false,
  map: {
    map_name: map,
    match_date: "2026-05-17T00:00:00.000Z",
    event_name: "Cup",
    event_tier: "S",
    opponent_name: "",
    result,
    ...(order === undefined ? {} : { match_order: order }),
  },
})

describe("matches of team pages", () => {
  it("accept both formats of a day", () => {
    assert.strictEqual(dayOf("17/05/26"), "2026-05-17")
    assert.strictEqual(dayOf("2026-05-17T00:00:00.000Z"), "2026-05-17")
    assert.strictEqual(dayOf("soon"), undefined)
  })

  it("merge two pages of one match, in the order of the page that has one", () => {
    const pages = [seen("Nuke", "13 - 9"), seen("Anubis", "8 - 13"), seen("Mirage", "13 - 2")]
    const other = [seen("Mirage", "2 - 13", 0, true), seen("Anubis", "13 - 8", 1, true), seen("Nuke", "9 - 13", 2, true)]
    const { matches, rejections } = seriesOf([...pages, ...other])
    assert.strictEqual(rejections.length, 0)
    assert.deepStrictEqual(
      matches.map(({ confidence, games, score, teams, winner }) => [teams[0].name, score, winner, confidence, games.map(({ map }) => map)]),
      [["South", [1, 2], 1, "medium", ["de_nuke", "de_anubis", "de_mirage"]]],
    )
  })

  it("without an order of maps end with a map that the winner won", () => {
    const { matches } = seriesOf([seen("Nuke", "9 - 13"), seen("Anubis", "13 - 8"), seen("Mirage", "13 - 2")])
    assert.deepStrictEqual(matches[0]?.confidence, "low")
    assert.deepStrictEqual(
      matches[0]?.games.map(({ winner }) => winner),
      [0, 1, 0],
    )
  })

  it("are rejected if they may be two matches", () => {
    assert.match(seriesOf([seen("Nuke", "9 - 13"), seen("Nuke", "13 - 8")]).rejections[0]?.reason ?? "", /a map appears twice/)
    assert.match(seriesOf([seen("Nuke", "9 - 13"), seen("Mirage", "13 - 8")]).rejections[0]?.reason ?? "", /1:1/)
    assert.match(seriesOf([seen("Nuke", "13 - 13")]).rejections[0]?.reason ?? "", /malformed map or result/)
  })
})
