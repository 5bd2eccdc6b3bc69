/** Webhook events of CS2 matches: which change produces which events. */
import { assert, describe, it } from "@effect/vitest"
import { b1, blue, dataOf, namesOf, Play, r1, r2, red, together } from "./webhookPlay.ts"

describe("start of a match", () => {
  it("is announced with the first map, not with the match", () => {
    const play = new Play()
    assert.deepStrictEqual(play.create(), [])
    const events = play.map()
    assert.deepStrictEqual(namesOf(events), [...together.started, "cs2.map.started"])
    assert.deepStrictEqual(dataOf(events, "match.started"), {
      matchId: "cs2-match-1001",
      epoch: 1,
      seq: 2,
      team1: { id: red, name: "Red" },
      team2: { id: blue, name: "Blue" },
      team1Score: 0,
      team2Score: 0,
      seriesScore: { team1: 0, team2: 0 },
      mapNumber: 1,
      currentMap: "de_inferno",
      bestOf: 1,
      eventName: null,
    })
    assert.deepInclude(dataOf(events, "cs2.map.started"), { ctTeamId: red, tTeamId: blue, pickTeamId: null })
  })

  it("goes live once, when the first freeze time ends", () => {
    const play = new Play().started()
    assert.deepStrictEqual(namesOf(play.live(1)), ["cs2.match.live_started"])
    play.end(1, "CT")
    assert.deepStrictEqual(play.live(2), [])
  })

  it("goes live with the first kill if no feed reports the end of freeze time", () => {
    const play = new Play().started()
    play.add("RoundStarted", { mapNumber: 1, round: 1, ctTeamId: red })
    assert.deepStrictEqual(namesOf(play.kill(1)), ["cs2.match.live_started", "cs2.player.kill", "player.kill"])
  })

  it("goes live with a knife round, and not again after the restart", () => {
    const play = new Play().started()
    play.live(1)
    play.kill(1, { weapon: "knife" })
    assert.deepStrictEqual(play.add("MapRestarted", { mapNumber: 1, ctTeamId: red }), [])
    assert.deepStrictEqual(play.live(1), [])
  })

  it("is not announced again in a new epoch", () => {
    const play = new Play().started(2)
    assert.deepStrictEqual(play.add("HistoryLost", { epoch: 2 }), [])
    const events = play.round(3)
    assert.deepStrictEqual(namesOf(events), [...together.round, ...together.score])
    assert.deepInclude(dataOf(events, "match.updated"), { epoch: 2, team1Score: 3 })
  })
})

describe("kill", () => {
  it("has attacker, victim and assister, and the ids of all of them", () => {
    const play = new Play().started()
    play.live(1)
    const events = play.kill(1, { assisterId: r2, flashAssist: true, headshot: true, wallbang: false })
    assert.deepStrictEqual(namesOf(events), ["cs2.player.kill", "player.kill"])
    assert.deepStrictEqual(events[0]?.playerIds, [r1, b1, r2])
    assert.deepStrictEqual(dataOf(events, "player.kill"), {
      matchId: "cs2-match-1001",
      epoch: 1,
      seq: 5,
      mapNumber: 1,
      round: 1,
      attacker: { playerId: r1, nickname: "r1", teamId: red },
      victim: { playerId: b1, nickname: "b1", teamId: blue },
      assister: { playerId: r2, nickname: "r2", teamId: red },
      weapon: "ak47",
      headshot: true,
      throughSmoke: null,
      wallbang: false,
      flashAssist: true,
      isTeamKill: false,
    })
  })

  it.each([
    ["of a team mate", { victimId: r2 }, { isTeamKill: true }],
    ["of oneself", { killerId: b1, weapon: "hegrenade" }, { isTeamKill: false }],
    ["by the environment", { killerId: null, weapon: "world" }, { attacker: null, isTeamKill: false }],
    ["of a bot", { victimId: null }, { victim: null, isTeamKill: false }],
    ["of a bot by a bot", { killerId: null, victimId: null }, { attacker: null, victim: null, isTeamKill: false }],
  ] as const)("%s", (_, payload, expected) => {
    const play = new Play().started()
    play.live(1)
    const events = play.kill(1, payload)
    assert.deepInclude(dataOf(events, "cs2.player.kill"), expected)
    assert.deepStrictEqual(events[0]?.playerIds, [...new Set(events[0]?.playerIds)])
  })

  it("is announced after the deciding round too", () => {
    assert.deepStrictEqual(namesOf(new Play().started(13).kill(13)), ["cs2.player.kill", "player.kill"])
  })

  it("fits into 700 bytes with names of usual length", () => {
    const play = new Play()
    play.create()
    for (const [playerId, teamId] of [
      [r1, red],
      [r2, red],
      [b1, blue],
    ] as const) {
      play.add("PlayerJoined", { playerId, teamId, nickname: "x".repeat(32) })
    }
    play.map()
    play.live(1)
    const data = dataOf(play.kill(1, { assisterId: r2, weapon: "usp_silencer" }), "cs2.player.kill")
    assert.isBelow(new TextEncoder().encode(JSON.stringify(data)).length, 700)
  })
})

describe("end of a round", () => {
  it("is announced with the winner and the score after the round", () => {
    const events = new Play().started(1).round(2)
    assert.deepStrictEqual(namesOf(events), [...together.round, ...together.score])
    assert.deepInclude(dataOf(events, "round.ended"), {
      round: 2,
      winnerTeamId: red,
      winnerSide: "CT",
      winType: "CTs_Win",
      team1Score: 2,
      team2Score: 0,
      currentMap: "de_inferno",
    })
  })

  it("comes with a correction if the reported score shows that earlier rounds were wrong", () => {
    const play = new Play().started(3)
    play.live(4)
    const events = play.end(4, "CT", 1, { ct: 2, t: 2 })
    assert.deepStrictEqual(namesOf(events), ["cs2.match.corrected", ...together.round, ...together.score])
    assert.deepInclude(dataOf(events, "cs2.match.corrected"), { correction: "score", team1Score: 2, team2Score: 2, status: "live" })
  })

  it("reports the score once if a restart discards rounds", () => {
    const play = new Play().started(2)
    const events = play.add("MapRestarted", { mapNumber: 1, ctTeamId: red })
    assert.deepStrictEqual(namesOf(events), together.score)
    assert.deepInclude(dataOf(events, "match.updated"), { team1Score: 0, team2Score: 0 })
    assert.deepStrictEqual(namesOf(play.round(1)), [...together.round, ...together.score])
  })
})

describe("maps", () => {
  it("end with their deciding round and start once", () => {
    const play = new Play().started(12, 3)
    const events = play.round(13)
    assert.deepStrictEqual(namesOf(events), [...together.round, ...together.score, "cs2.map.ended"])
    const expected = { winnerTeamId: red, isDraw: false, reason: "score", team1Score: 13, seriesScore: { team1: 1, team2: 0 } }
    assert.deepInclude(dataOf(events, "cs2.map.ended"), expected)
    assert.deepStrictEqual(namesOf(play.map(2)), ["cs2.map.started"])
  })

  it("end by surrender, which can end the match", () => {
    const events = new Play().started(3).add("MapEnded", { mapNumber: 1, winnerTeamId: blue, reason: "surrender" })
    assert.deepStrictEqual(namesOf(events), [...together.score, "cs2.map.ended", ...together.ended])
    assert.deepInclude(dataOf(events, "cs2.map.ended"), { winnerTeamId: blue, reason: "surrender", team1Score: 3 })
  })

  it("end before the next map starts if their end was not reported", () => {
    const play = new Play().started(3, 3)
    const events = play.map(2)
    assert.deepStrictEqual(namesOf(events), ["cs2.map.ended", "cs2.map.started"])
    assert.deepInclude(dataOf(events, "cs2.map.ended"), { mapNumber: 1, winnerTeamId: null, isDraw: false, reason: null })
    assert.deepInclude(dataOf(events, "cs2.map.started"), { mapNumber: 2, currentMap: "de_nuke" })
  })

  it("start again if another map replaces them", () => {
    const play = new Play().started()
    const events = play.add("MapRestarted", { mapNumber: 1, ctTeamId: blue, mapName: "de_dust2" })
    assert.deepStrictEqual(namesOf(events), ["cs2.map.started"])
    assert.deepInclude(dataOf(events, "cs2.map.started"), { currentMap: "de_dust2", ctTeamId: blue })
  })
})

describe("end of a match", () => {
  it("is announced with the final scores, by the deciding round", () => {
    const play = new Play().started(12)
    const events = play.round(13)
    assert.deepStrictEqual(namesOf(events), [...together.round, ...together.score, "cs2.map.ended", ...together.ended])
    assert.deepInclude(dataOf(events, "match.ended"), {
      winnerTeamId: red,
      isDraw: false,
      reason: "completed",
      isProvisional: false,
      maps: [{ mapNumber: 1, map: "de_inferno", status: "completed", team1Score: 13, team2Score: 0, winnerTeamId: red, isDraw: false }],
    })
  })

  it("is announced without a start if the match was forfeited before it started", () => {
    const play = new Play()
    play.create()
    const events = play.add("MatchEnded", { winnerTeamId: blue, reason: "forfeit" })
    assert.deepStrictEqual(namesOf(events), together.ended)
    assert.deepInclude(dataOf(events, "match.ended"), {
      winnerTeamId: blue,
      reason: "forfeit",
      currentMap: null,
      mapNumber: null,
      maps: [],
    })
  })

  it("is a cancellation, not an end, if the match is cancelled", () => {
    const events = new Play().started(2).add("MatchEnded", { winnerTeamId: null, reason: "cancelled" })
    assert.deepStrictEqual(namesOf(events), ["cs2.match.cancelled"])
  })
})
