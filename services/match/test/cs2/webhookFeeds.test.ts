/** Webhook events of matches with uncertain team names, and of matches on their backup feed. */
import { assert, describe, it } from "@effect/vitest"
import { blue, dataOf, namesOf, Play, red, together } from "./webhookPlay.ts"

describe("uncertain team names", () => {
  const uncertain = (rounds: number) => {
    const play = new Play()
    play.create()
    play.add("TeamNamesUnknown", {
      names: [
        { name: "x", teamId: red },
        { name: "y", teamId: blue },
      ],
    })
    play.map()
    for (let number = 1; number <= rounds; number++) play.round(number)
    return play
  }

  it("make the result provisional, and are corrected when an operator assigns them to the other teams", () => {
    const play = uncertain(12)
    assert.deepInclude(dataOf(play.round(13), "match.ended"), { isProvisional: true, winnerTeamId: red })
    const events = play.add("TeamAliased", { aliases: [{ name: "x", teamId: blue }] })
    assert.deepStrictEqual(namesOf(events), ["cs2.match.corrected"])
    assert.deepInclude(dataOf(events, "cs2.match.corrected"), {
      correction: "teams_swapped",
      winnerTeamId: blue,
      team2Score: 13,
      status: "completed",
    })
  })

  it("are corrected with the score of a live match", () => {
    const events = uncertain(2).add("TeamAliased", { aliases: [{ name: "x", teamId: blue }] })
    assert.deepStrictEqual(namesOf(events), ["cs2.match.corrected", ...together.score])
    assert.deepInclude(dataOf(events, "match.updated"), { team1Score: 0, team2Score: 2 })
  })

  it("are confirmed when an operator assigns them to the same teams", () => {
    const events = uncertain(2).add("TeamAliased", { aliases: [{ name: "x", teamId: red }] })
    assert.deepInclude(dataOf(events, "cs2.match.corrected"), { correction: "teams_confirmed", team1Score: 2 })
  })

  it("are no event if only a name is added", () => {
    assert.deepStrictEqual(new Play().started(1).add("TeamAliased", { aliases: [{ name: "z", teamId: red }] }), [])
  })
})

describe("backup feed", () => {
  it("reports scores but no rounds, and the main feed's repetitions are announced as rounds only", () => {
    const play = new Play().started(3)
    assert.deepStrictEqual(play.add("SourceChanged", { source: "live_backup" }), [])
    const onBackup = play.add("RoundEnded", { mapNumber: 1, round: 4, winner: "CT", winType: "unknown" }, "backup")
    assert.deepStrictEqual(namesOf(onBackup), together.score)
    assert.deepInclude(dataOf(onBackup, "match.updated"), { team1Score: 4 })
    assert.deepStrictEqual(play.add("SourceChanged", { source: "live" }), [])
    assert.deepStrictEqual(namesOf(play.round(4)), together.round)
    assert.deepStrictEqual(namesOf(play.round(5)), [...together.round, ...together.score])
  })

  it("can start, end and complete a match", () => {
    const play = new Play()
    play.create()
    play.add("SourceChanged", { source: "live_backup" })
    assert.deepStrictEqual(namesOf(play.map(1, "backup")), [...together.started, "cs2.map.started"])
    const seen: Array<string> = []
    for (let number = 1; number <= 13; number++) {
      const payload = { mapNumber: 1, round: number, winner: number <= 12 ? "CT" : "T", winType: "unknown" } as const
      seen.push(...namesOf(play.add("RoundEnded", payload, "backup")))
    }
    assert.deepStrictEqual(seen.slice(0, 4), ["cs2.match.live_started", ...together.score, "cs2.score.updated"])
    assert.deepStrictEqual(seen.slice(-5), [...together.score, "cs2.map.ended", ...together.ended])
  })

  it("announces what it had reported before the main feed fell silent", () => {
    const play = new Play().started(3)
    const map = {
      number: 1,
      name: "de_inferno",
      startingCtTeam: 0,
      score: [5, 1],
      status: "live",
      winner: null,
      startedAt: 1,
      endedAt: null,
    } as const
    const events = play.add("SourceChanged", { source: "live_backup", series: { maps: [map], seriesScore: [0, 0] } })
    assert.deepStrictEqual(namesOf(events), together.score)
    assert.deepInclude(dataOf(events, "match.updated"), { team1Score: 5, team2Score: 1 })
  })
})
