import { assert, describe, it } from "@effect/vitest"
import { decimal, halves, killsAndDeaths, score, share } from "@matchpoint/cs2/feed/import/results/numbers"
import { readResult } from "@matchpoint/cs2/feed/import/results/readResult"
import { readVeto } from "@matchpoint/cs2/feed/import/results/veto"
import { Result } from "effect"

describe("numbers of results files", () => {
  it("are parsed in their own format only", () => {
    assert.deepStrictEqual(killsAndDeaths("24-13"), [24, 13])
    assert.strictEqual(killsAndDeaths("24"), undefined)
    assert.strictEqual(share("72.4%"), 0.724)
    assert.strictEqual(share("172.4%"), undefined)
    assert.strictEqual(share("72.4"), undefined)
    assert.strictEqual(decimal("117.3"), 117.3)
    assert.strictEqual(decimal("-"), undefined)
    assert.strictEqual(score("-"), undefined)
  })

  it("halves have no sides, and overtime is one entry", () => {
    assert.deepStrictEqual(
      halves("(9:3; 3:9) (4:1)")?.map(({ number, overtime, team1, team2 }) => [number, team1, team2, overtime]),
      [
        [1, 9, 3, false],
        [2, 3, 9, false],
        [3, 4, 1, true],
      ],
    )
    assert.strictEqual(halves(""), undefined)
    assert.strictEqual(halves("(9:3; x)"), undefined)
  })
})

describe("vetoes of results files", () => {
  it("assign each step to its team, even if the name contains a verb", () => {
    const steps = readVeto(
      ["1. We removed it removed Nuke", "2. North picked Dust2", "3. Ancient was left over"],
      ["We removed it", "North"],
    )
    assert.deepStrictEqual(Result.getOrThrow(steps), [
      { order: 1, action: "ban", team: 0, map: "de_nuke" },
      { order: 2, action: "pick", team: 1, map: "de_dust2" },
      { order: 3, action: "decider", team: null, map: "de_ancient" },
    ])
  })

  it("are rejected if a team is neither of the two", () => {
    assert.isTrue(Result.isFailure(readVeto(["1. South removed Nuke"], ["We", "North"])))
  })
})

const side = (name: string, score: string, status: string) => ({ name, score, status })
const players = (...names: ReadonlyArray<string>) => names.map((name) => ({ name, kd: "10-8", adr: "80.5", kast: "70.0%", rating: "1.2" }))
const match = {
  "match-id": 1,
  event: "Cup",
  team1: "North",
  team2: "South",
  "team1-id": 11,
  "team2-id": null,
  team1score: 2,
  team2score: 0,
  date: Date.UTC(2026, 0, 30, 12),
  format: "Best of 3 (Online)",
  stage: "",
  veto: [],
  maps: [
    {
      map: "Dust2",
      team1: side("North", "13", "won"),
      team2: side("South", "7", "lost"),
      half_scores: "(7:5; 6:2)",
      status: "played",
      players: { team1: players("a"), team2: players("b") },
    },
    {
      map: "Default",
      team1: side("North", "1", "won"),
      team2: side("South", "0", "lost"),
      half_scores: "",
      status: "not_played",
      players: { team1: [], team2: [] },
    },
  ],
}

const read = (record: unknown, notAfter?: number) => Result.getOrThrow(readResult(record, notAfter))
const whyNot = (record: unknown) => Result.match(readResult(record), { onSuccess: () => "", onFailure: ({ reason }) => reason })

describe("matches of results files", () => {
  it("contain known values and leave unknown ones out", () => {
    const result = read(match)
    assert.deepStrictEqual([result.score, result.winner, result.bestOf, result.isLan, result.isForfeit], [[2, 0], 0, 3, false, false])
    assert.deepStrictEqual(result.teams[1], { key: undefined, issuer: "hltv", name: "South" })
    assert.strictEqual(result.games.length, 1)
    const line = result.games[0]?.lines[0]
    assert.deepStrictEqual([line?.kills, line?.deaths, line?.adr, line?.kast, line?.rounds], [10, 8, 80.5, 0.7, 20])
    assert.deepStrictEqual([line?.assists, line?.rating, line?.headshots], [undefined, undefined, undefined])
  })

  it("without a date get the last possible day and low confidence", () => {
    const result = read({ ...match, date: null }, Date.UTC(2026, 0, 29, 15))
    assert.deepStrictEqual([result.startsAt, result.startsPrecision, result.confidence], [Date.UTC(2026, 0, 29), "day", "low"])
    assert.match(whyNot({ ...match, date: null }), /has a date/)
  })

  it("are rejected if they contradict themselves", () => {
    const [map] = match.maps
    assert.match(whyNot({ ...match, maps: [{ ...map, half_scores: "(7:5; 5:2)" }] }), /do not add up/)
    assert.match(
      whyNot({ ...match, maps: [{ ...map, players: { team1: [{ ...players("a")[0], kd: "?" }], team2: [] } }] }),
      /statistics of a player/,
    )
    assert.match(whyNot({}), /malformed match/)
  })
})
