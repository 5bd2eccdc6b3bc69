/** Tests the statistics of players: trades, first bloods, streaks, clutches, and what a death without a kill counts. */
import { assert, describe, it } from "@effect/vitest"
import { archiveIdOf } from "../../../src/rules/archive/matchIds.ts"
import { archivedMatch } from "../../../src/rules/live/archivedMatch.ts"
import { resultOf } from "../../../src/rules/live/result.ts"
import { player, Script } from "./script.ts"

describe("kills", () => {
  it("of the killer within five seconds are trades", () => {
    const match = Script.on("hardpoint").kills("a1>b1").pass(3).kills("b2>a1")
    assert.deepStrictEqual([match.line("b2").tradeKills, match.line("b1").tradedDeaths], [1, 1])
    match.kills("a2>b2").pass(5).kills("b3>a2")
    assert.deepStrictEqual([match.line("b3").tradeKills, match.line("b2").tradedDeaths], [0, 0])
    assert.deepInclude(match.live.lastKill, { isTrade: false, side: 1 })
  })

  it("trade every teammate that the killer has killed just before", () => {
    const match = Script.on("hardpoint").kills("a1>b1", "a1>b2", "b3>a1")
    assert.deepStrictEqual(
      ["b1", "b2", "b3"].map((name) => match.line(name).tradedDeaths),
      [1, 1, 0],
    )
    assert.strictEqual(match.line("b3").tradeKills, 1)
  })

  it("make streaks until the death of the player", () => {
    const match = Script.on("hardpoint").kills("a1>b1", "a1>b2", "a1>b3", "b1>a1", "a1>b2")
    assert.deepInclude(match.line("a1"), { kills: 4, deaths: 1, streak: 1, highestStreak: 3 })
  })

  it("of teammates, and deaths without attacker, count as deaths only", () => {
    const match = Script.on("hardpoint").kills("a1>a2", ">a3", "a4>a4")
    for (const name of ["a1", "a2", "a3", "a4"]) assert.strictEqual(match.line(name).kills, 0)
    for (const name of ["a2", "a3", "a4"]) assert.strictEqual(match.line(name).deaths, 1)
  })

  it("have assists of teammates", () => {
    const match = Script.on("hardpoint")
    const assisted = (...assists: ReadonlyArray<string>) => ({ ...match.kill("a1>b1"), assists: assists.map(player) })
    assert.strictEqual(match.rejection("PlayerKilled", assisted("b2")), "wrong_side")
    assert.strictEqual(match.rejection("PlayerKilled", assisted("a1")), "wrong_side")
    assert.strictEqual(match.rejection("PlayerKilled", assisted("zz")), "unknown_player")
    match.add("PlayerKilled", assisted("a2", "a3"))
    assert.deepStrictEqual([match.line("a2").assists, match.line("a3").assists], [1, 1])
  })

  it("are first bloods once per round of search and destroy", () => {
    const match = Script.on("snd").round(1).kills(">a4", "b1>a1", "a2>b2")
    assert.deepStrictEqual([match.line("b1").firstBloods, match.line("a1").firstDeaths, match.line("a2").firstBloods], [1, 1, 0])
  })
})

describe("clutches", () => {
  it("count the opponents at their start, for the last player of a team", () => {
    const match = Script.on("snd").round(1).kills("b1>a2", "b1>a3", "a1>b4", "b1>a4")
    // a1 is alone against three.
    match.kills("a1>b3", "a1>b2", "a1>b1").add("RoundEnded", { map: 1, round: 1, winner: 0, reason: "elimination" })
    assert.deepInclude(match.line("a1"), { clutch1v3Attempts: 1, clutch1v3Wins: 1, clutch1v1Attempts: 0 })
    // b1 was then alone against one.
    assert.deepInclude(match.line("b1"), { clutch1v1Attempts: 1, clutch1v1Wins: 0 })
  })

  it("are lost with the round, and not counted against four", () => {
    const match = Script.on("snd").round(1).kills("b1>a2", "b1>a3", "b1>a4", "b1>a1")
    match.add("RoundEnded", { map: 1, round: 1, winner: 1, reason: "elimination" })
    assert.deepInclude(match.line("a1"), { clutch1v1Attempts: 0, clutch1v2Attempts: 0, clutch1v3Attempts: 0 })
  })
})

describe("facts that are missing", () => {
  it("are noticed if a team was eliminated without all deaths", () => {
    const match = Script.on("snd").round(1).kills("a1>b1").add("RoundEnded", { map: 1, round: 1, winner: 0, reason: "elimination" })
    assert.isFalse(match.live.countsEverything)
  })
})

describe("a finished match", () => {
  const finished = () => {
    const match = Script.on("snd")
    for (let round = 1; round <= 6; round += 1) match.wipe(round, 0)
    const statistics = [{ player: player("a1"), damage: 2_400 }]
    return match.add("MapEnded", { map: 1, winner: 0, statistics }).add("Forfeited", { side: 1 })
  }

  it("has rows of the archive with the statistics of each mode", () => {
    const rows = archivedMatch(archiveIdOf(finished().live.matchId), resultOf(finished().live))
    if (typeof rows === "string") return assert.fail(rows)
    const { lines, maps, match } = rows.matches[0]
    assert.deepInclude(match, { matchId: "1000000001", winnerSlug: "team-a", team1Score: 1, source: "live", status: "completed" })
    assert.deepInclude(maps[0], { mode: "snd", team1Score: 6, team2Score: 0, winnerSlug: "team-a", played: true })
    assert.deepInclude(
      lines.find(({ playerId }) => playerId === "a1"),
      { kills: 24, deaths: 0, damage: 2_400, firstBloods: 6, hillTime: null, captures: null },
    )
    // a2 to a4 have played without any value.
    assert.lengthOf(lines, 8)
  })

  it("has no line of a player who was not on the map", () => {
    const match = Script.on("snd").add("PlayerSubstituted", { side: 0, out: player("a4"), in: { id: player("a5"), ign: "a5" } })
    const over = match.add("Forfeited", { side: 1 }).live
    assert.deepStrictEqual(
      over.maps[0]?.lines?.[0].map((line) => line.length > 0),
      [true, true, true, false, true],
    )
  })

  it("has no row without a winner", () => {
    const cancelled = Script.created().add("Cancelled", {})
    assert.isString(archivedMatch(archiveIdOf(cancelled.live.matchId), resultOf(cancelled.live)))
  })
})
