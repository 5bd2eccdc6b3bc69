/** Tests the rules of each mode: scores, rounds, lives, the hill, and the end of maps and matches. */
import { assert, describe, it } from "@effect/vitest"
import { violationOf } from "../../../src/rules/live/invariants.ts"
import { attackerOf } from "../../../src/rules/live/state.ts"
import { player, Script, veto } from "./script.ts"

const snds = Array.from({ length: 5 }, (_, n) => ({ name: `Map ${n}`, mode: "snd" as const, pickedBy: null }))

describe("a match", () => {
  it("is won by three maps of five", () => {
    const match = Script.created({ maps: snds }).add("MatchStarted", {}).sweep(1, 0).sweep(2, 1).sweep(3, 0)
    assert.deepStrictEqual([match.live.mapsWon, match.live.status], [[2, 1], "live"])
    match.sweep(4, 0)
    assert.deepInclude(match.live, { status: "completed", winner: 0, endReason: "completed", mapsWon: [3, 1], current: null })
    assert.deepStrictEqual(match.live.maps.at(-1)?.status, "upcoming")
    assert.strictEqual(match.rejection("MapStarted", { map: 5, attacker: 0 }), "match_over")
  })

  it("needs as many maps as its format", () => {
    for (const [bestOf, maps] of [
      [1, 1],
      [3, 2],
      [7, 4],
    ] as const) {
      const match = Script.created({ bestOf, maps: [...snds, ...snds].slice(0, bestOf) }).add("MatchStarted", {})
      for (let map = 1; map <= maps; map += 1) {
        assert.strictEqual(match.live.status, "live")
        match.sweep(map, 1)
      }
      assert.deepInclude(match.live, { status: "completed", winner: 1 })
    }
  })

  it("plays the maps of the veto in order", () => {
    const match = Script.created({ maps: [] })
    assert.strictEqual(match.rejection("MapStarted", { map: 1, attacker: null }), "match_not_started")
    match.add("MatchStarted", {})
    assert.strictEqual(match.rejection("MapStarted", { map: 1, attacker: null }), "map_not_chosen")
    match.add("MapsChosen", { maps: veto })
    assert.strictEqual(match.rejection("MapStarted", { map: 2, attacker: 0 }), "early_fact")
    assert.strictEqual(match.rejection("MapStarted", { map: 1, attacker: 0 }), "wrong_side")
    match.add("MapStarted", { map: 1, attacker: null })
    assert.strictEqual(match.rejection("MapStarted", { map: 2, attacker: 0 }), "map_in_progress")
    assert.strictEqual(match.rejection("MapsChosen", { maps: veto.slice(1) }), "wrong_maps")
    assert.strictEqual(match.rejection("MapsChosen", { maps: [...veto, ...veto].slice(0, 6) }), "wrong_maps")
    assert.isUndefined(match.rejection("MapsChosen", { maps: veto.slice(0, 3) }))
  })

  it("ends by a forfeit, before and during a map", () => {
    const early = Script.created().add("Forfeited", { side: 1 })
    assert.deepInclude(early.live, { status: "completed", winner: 0, endReason: "forfeit", startedAt: null })
    const late = Script.on("snd").round(1).kills("a1>b1").add("Forfeited", { side: 0 })
    assert.deepInclude(late.live, { status: "completed", winner: 1, current: null })
    assert.deepInclude(late.live.maps[0], { status: "completed", winner: null })
    assert.strictEqual(late.live.maps[0]?.lines?.[0][0]?.[0], 1)
    assert.isUndefined(violationOf(late.live))
  })
})

describe("hardpoint", () => {
  const hill = (match: Script, side: 0 | 1, score: number) =>
    match.pass(score).add("HillScored", { map: 1, side, score, players: [player(side === 0 ? "a1" : "b1")] })

  it("gives hill time to the players on the hill, and ends at 250 points", () => {
    const match = hill(Script.on("hardpoint"), 0, 249)
    assert.strictEqual(match.rejection("MapEnded", { map: 1, winner: 0 }), "map_not_over")
    assert.strictEqual(match.rejection("HillScored", { map: 1, side: 0, score: 249, players: [] }), "late_fact")
    hill(match, 0, 250)
    assert.strictEqual(match.line("a1").hillTime, 250)
    assert.strictEqual(match.rejection("PlayerKilled", match.kill("a1>b1")), "map_over")
    assert.strictEqual(match.rejection("MapEnded", { map: 1, winner: 1 }), "wrong_winner")
    match.add("MapEnded", { map: 1, winner: 0 })
    assert.deepStrictEqual([match.live.maps[0]?.winner, match.live.maps[0]?.scores], [0, [250, 0]])
  })

  it("ends after five minutes of play, without pauses", () => {
    const match = hill(hill(Script.on("hardpoint"), 0, 90), 1, 100)
    assert.strictEqual(match.rejection("MapEnded", { map: 1, winner: 1 }), "map_not_over")
    match.add("Suspended", { reason: "timeout", side: 1 }).pass(200).add("Resumed", {})
    assert.deepStrictEqual(match.live.timeouts, [0, 1])
    assert.strictEqual(match.rejection("MapEnded", { map: 1, winner: 1 }), "map_not_over")
    match.pass(100).add("MapEnded", { map: 1, winner: 1 })
    assert.deepStrictEqual(match.live.mapsWon, [0, 1])
  })

  it("has at most one point per second, and one more hill per minute", () => {
    const match = Script.on("hardpoint")
    assert.strictEqual(match.rejection("HillScored", { map: 1, side: 0, score: 30, players: [] }), "impossible_score")
    assert.strictEqual(match.rejection("HillChanged", { map: 1, hill: 2, holder: null, isContested: false }), "early_fact")
    match.pass(57).add("HillChanged", { map: 1, hill: 2, holder: 1, isContested: false })
    assert.strictEqual(match.rejection("HillChanged", { map: 1, hill: 1, holder: 1, isContested: false }), "late_fact")
    assert.strictEqual(match.rejection("HillChanged", { map: 1, hill: 2, holder: 1, isContested: true }), "wrong_side")
    assert.strictEqual(match.rejection("HillScored", { map: 1, side: 0, score: 30, players: [player("b1")] }), "wrong_side")
  })
})

describe("search and destroy", () => {
  it("is won by six rounds; the eleventh decides", () => {
    const match = Script.on("snd")
    for (let round = 1; round <= 10; round += 1) match.wipe(round, round % 2 === 0 ? 0 : 1)
    assert.deepStrictEqual(match.live.maps[0]?.scores, [5, 5])
    assert.strictEqual(match.rejection("MapEnded", { map: 1, winner: 0 }), "wrong_winner")
    match.wipe(11, 1)
    assert.strictEqual(match.rejection("RoundStarted", { map: 1, round: 12 }), "map_over")
    match.add("MapEnded", { map: 1, winner: 1 })
    assert.deepStrictEqual(match.live.maps[0]?.scores, [5, 6])
  })

  it("changes sides after each round", () => {
    const match = Script.on("snd", 1)
    const attackers = [1, 2, 3].map((round) => {
      match.round(round)
      const attacker = match.live.current === null ? null : attackerOf(match.live.current)
      match.add("RoundEnded", { map: 1, round, winner: 0, reason: "elimination" })
      return attacker
    })
    assert.deepStrictEqual(attackers, [1, 0, 1])
  })

  it("kills a player once per round", () => {
    const match = Script.on("snd").round(1).kills("a1>b1")
    assert.strictEqual(match.rejection("PlayerKilled", match.kill("a2>b1")), "player_dead")
    assert.strictEqual(match.rejection("PlayerKilled", { ...match.kill("a1>b2"), round: 2 }), "early_fact")
    const { round: _, ...unplaced } = match.kill("a1>b2")
    assert.strictEqual(match.rejection("PlayerKilled", unplaced), "early_fact")
  })

  it("has a bomb that attackers plant and defenders defuse", () => {
    const at = { map: 1, round: 1 }
    const match = Script.on("snd").round(1)
    assert.strictEqual(match.rejection("BombDefused", { ...at, player: player("b1") }), "no_bomb")
    assert.strictEqual(match.rejection("BombPlanted", { ...at, player: player("b1"), site: "a" }), "wrong_side")
    match.kills("b1>a1")
    assert.strictEqual(match.rejection("BombPlanted", { ...at, player: player("a1"), site: "a" }), "player_dead")
    match.add("BombPlanted", { ...at, player: player("a2"), site: "a" })
    assert.strictEqual(match.rejection("BombPlanted", { ...at, player: player("a3"), site: "a" }), "bomb_over")
    assert.strictEqual(match.rejection("RoundEnded", { ...at, winner: 0, reason: "detonation" }), "no_bomb")
    match.add("BombDefused", { ...at, player: player("b2") })
    assert.strictEqual(match.rejection("BombDetonated", at), "bomb_over")
    assert.strictEqual(match.rejection("RoundEnded", { ...at, winner: 0, reason: "defuse" }), "wrong_winner")
    match.add("RoundEnded", { ...at, winner: 1, reason: "defuse" })
    assert.deepStrictEqual([match.line("a2").plants, match.line("b2").defuses], [1, 1])
    assert.strictEqual(match.rejection("RoundEnded", { ...at, winner: 1, reason: "defuse" }), "late_fact")
  })
})

describe("control", () => {
  it("gives each team 30 lives in a round", () => {
    const match = Script.on("control").round(1)
    for (let n = 0; n < 30; n += 1) match.kills(`a${(n % 4) + 1}>b${(n % 4) + 1}`)
    assert.deepStrictEqual(match.live.current?.round?.lives, [30, 0])
    assert.strictEqual(match.rejection("PlayerKilled", match.kill("a1>b1")), "no_lives")
    match.add("RoundEnded", { map: 1, round: 1, winner: 0, reason: "elimination" }).round(2)
    assert.deepStrictEqual(match.live.current?.round?.lives, [30, 30])
  })

  it("is won by three rounds, which end by zones, lives or time", () => {
    const match = Script.on("control").round(1)
    const tick = (zone: "a" | "b", number: number) => ({ map: 1, round: 1, zone, tick: number, players: [player("a1"), player("a2")] })
    assert.strictEqual(match.rejection("ZoneTicked", tick("a", 2)), "early_fact")
    for (const number of [1, 2, 3]) match.add("ZoneTicked", tick("a", number))
    assert.strictEqual(match.rejection("ZoneTicked", tick("a", 3)), "late_fact")
    assert.strictEqual(match.rejection("RoundEnded", { map: 1, round: 1, winner: 0, reason: "zones" }), "wrong_winner")
    for (const number of [1, 2, 3]) match.add("ZoneTicked", tick("b", number))
    assert.strictEqual(match.rejection("ZoneTicked", { ...tick("b", 3), players: [player("b1")] }), "late_fact")
    match.add("RoundEnded", { map: 1, round: 1, winner: 0, reason: "zones" })
    assert.strictEqual(match.line("a1").captures, 6)
    match.round(2).add("RoundEnded", { map: 1, round: 2, winner: 0, reason: "time" })
    assert.strictEqual(match.rejection("RoundEnded", { map: 1, round: 3, winner: 0, reason: "time" }), "round_not_in_progress")
    match.round(3)
    assert.strictEqual(match.rejection("RoundEnded", { map: 1, round: 3, winner: 0, reason: "detonation" }), "wrong_mode")
    assert.strictEqual(match.rejection("RoundEnded", { map: 1, round: 3, winner: 0, reason: "time" }), "wrong_winner")
    for (let n = 0; n < 30; n += 1) match.kills("a1>b1")
    match.add("RoundEnded", { map: 1, round: 3, winner: 0, reason: "elimination" }).add("MapEnded", { map: 1, winner: 0 })
    assert.deepStrictEqual(match.live.mapsWon, [1, 0])
    assert.isTrue(match.live.countsEverything)
  })
})

describe("officials", () => {
  it("correct scores to those that are possible", () => {
    const match = Script.created({ maps: snds }).add("MatchStarted", {}).sweep(1, 0).add("MapStarted", { map: 2, attacker: 0 }).wipe(1, 1)
    assert.strictEqual(match.rejection("ScoreCorrected", { maps: [[6, 0]] }), "impossible_score")
    assert.strictEqual(
      match.rejection("ScoreCorrected", {
        maps: [
          [6, 6],
          [0, 1],
        ],
      }),
      "impossible_score",
    )
    assert.strictEqual(
      match.rejection("ScoreCorrected", {
        maps: [
          [5, 2],
          [0, 1],
        ],
      }),
      "impossible_score",
    )
    match.round(2).add("ScoreCorrected", {
      maps: [
        [4, 6],
        [2, 1],
      ],
    })
    assert.deepInclude(match.live, { mapsWon: [0, 1], countsEverything: false, corrections: 1 })
    assert.strictEqual(match.rejection("RoundStarted", { map: 2, round: 3 }), "late_fact")
    match.round(4)
    assert.isUndefined(violationOf(match.live))
  })

  it("let the newest map be played again", () => {
    const match = Script.created({ maps: snds }).add("MatchStarted", {}).sweep(1, 0).sweep(2, 1)
    assert.strictEqual(match.rejection("MapReplayed", { map: 1 }), "late_fact")
    match.add("MapReplayed", { map: 2 })
    assert.deepInclude(match.live, { mapsWon: [1, 0], current: null })
    match.add("MapStarted", { map: 2, attacker: 1 }).wipe(1, 1)
    assert.strictEqual(match.line("b1").kills, 4)
    match.add("MapReplayed", { map: 2 }).sweep(2, 0)
    assert.deepStrictEqual(match.live.mapsWon, [2, 0])
  })

  it("exchange players, who keep their statistics", () => {
    const match = Script.on("snd").round(1).kills("a1>b1", "b2>a1")
    const sub = { id: player("a5"), ign: "a5" }
    assert.strictEqual(match.rejection("PlayerSubstituted", { side: 0, out: player("a9"), in: sub }), "unknown_player")
    assert.strictEqual(
      match.rejection("PlayerSubstituted", { side: 0, out: player("a1"), in: { id: player("b3"), ign: "x" } }),
      "wrong_side",
    )
    match.add("PlayerSubstituted", { side: 0, out: player("a1"), in: sub })
    assert.strictEqual(match.rejection("PlayerKilled", match.kill("a1>b2")), "player_not_active")
    // The new player takes the place of a dead one.
    assert.strictEqual(match.rejection("PlayerKilled", match.kill("b2>a5")), "player_dead")
    match.add("RoundEnded", { map: 1, round: 1, winner: 1, reason: "elimination" }).round(2).kills("a5>b2")
    assert.deepStrictEqual([match.line("a1").kills, match.line("a5").kills], [1, 1])
  })

  it("stop and continue play", () => {
    const match = Script.on("snd").round(1).add("Suspended", { reason: "technical", side: null })
    assert.strictEqual(match.rejection("PlayerKilled", match.kill("a1>b1")), "suspended")
    assert.strictEqual(match.rejection("Suspended", { reason: "other", side: null }), "suspended")
    match.add("Resumed", {}).kills("a1>b1")
    assert.strictEqual(match.rejection("Resumed", {}), "not_suspended")
  })
})
