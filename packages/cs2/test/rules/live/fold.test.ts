import { assert, describe, it } from "@effect/vitest"
import { factId } from "@matchpoint/domain/ids"
import { matchId, playerId } from "../../../src/rules/ids.ts"
import { decide, type RejectionCode } from "../../../src/rules/live/decide.ts"
import type { FeedEvent } from "../../../src/rules/live/feedEvents.ts"
import { fold } from "../../../src/rules/live/fold.ts"
import { currentMap, type MatchState, playerOf } from "../../../src/rules/live/state.ts"
import { b1, b2, blue, ctOf, r1, r2, red, Script } from "./script.ts"

const tallyOf = (state: MatchState, id: typeof r1) => playerOf(state, id)?.tally

const playedMap = (reds: number, blues: number, options: Parameters<Script["begin"]>[0] = {}) => {
  const script = new Script().begin(options)
  // The teams alternate, so that none of them wins the map before the other has its rounds.
  let [r, b, round] = [0, 0, 0]
  while (r < reds || b < blues) {
    round += 1
    const redWins = r < reds && (r <= b || b >= blues)
    if (redWins) r += 1
    else b += 1
    script.wonBy(redWins ? red : blue, round)
  }
  return script
}

describe("a match", () => {
  it("counts accepted changes 1, 2, 3, ... and is over when the map is won", () => {
    const script = playedMap(13, 7)
    const state = script.fold()
    assert.strictEqual(state.seq, script.events.length)
    assert.strictEqual(state.status, "completed")
    assert.strictEqual(state.winner, 0)
    assert.deepStrictEqual(currentMap(state)?.score, [13, 7])
    assert.strictEqual(currentMap(state)?.roundsPlayed, 20)
  })

  it("counts halves, including those of overtime", () => {
    const state = playedMap(16, 14).fold()
    const map = currentMap(state)
    assert.deepStrictEqual(map?.score, [16, 14])
    assert.strictEqual(map?.halves.length, 4)
    assert.deepStrictEqual(
      map?.halves.reduce(([a, b], half) => [a + half[0], b + half[1]], [0, 0]),
      [16, 14],
    )
  })

  it("starts the next map of a best of three with tallies at zero", () => {
    const script = playedMap(13, 3, { bestOf: 3 })
    const afterFirst = script.fold()
    assert.strictEqual(afterFirst.status, "live")
    assert.deepStrictEqual(afterFirst.seriesScore, [1, 0])
    const second = script.map(2).fold()
    assert.strictEqual(second.maps.length, 2)
    assert.strictEqual(tallyOf(second, r1)?.kastRounds, 0)
    assert.strictEqual(second.maps[0]?.lines.length, 4)
  })

  it("starts again at 0:0 after a restart", () => {
    const state = new Script().begin().wonBy(red, 1).add("MapRestarted", { mapNumber: 1, ctTeamId: blue }).live(1, blue).fold()
    assert.deepStrictEqual(currentMap(state)?.score, [0, 0])
    assert.strictEqual(state.round?.number, 1)
    assert.strictEqual(currentMap(state)?.startingCtTeam, 1)
  })

  it("takes the score of the feed after a lost round", () => {
    const state = new Script()
      .begin()
      .wonBy(red, 1)
      .add("RoundEnded", { mapNumber: 1, round: 2, winner: "T", winType: "elimination", score: { ct: 1, t: 1 } })
      .fold()
    assert.deepStrictEqual(currentMap(state)?.score, [1, 1])
    assert.strictEqual(state.round?.number, 2)
  })

  it("accepts an epoch more than one ahead, and none behind", () => {
    const state = new Script().begin().add("HistoryLost", { epoch: 7 }).fold()
    assert.deepInclude(state, { epoch: 7, seq: 1 })
    assert.deepInclude(new Script().begin().add("HistoryLost", { epoch: 7 }).add("HistoryLost", { epoch: 6 }).fold(), { epoch: 7, seq: 1 })
  })

  it("rejects a switch to the backup feed if the main feed has reported since the decision", () => {
    const script = new Script().begin()
    const { seq } = script.fold()
    const late = new Script().begin().add("PlayerLeft", { playerId: r1 }).add("SourceChanged", { source: "live_backup", basedOn: seq })
    assert.deepInclude(late.fold(), { source: "live", seq: seq + 1 })
    assert.deepInclude(script.add("SourceChanged", { source: "live_backup", basedOn: seq }).fold(), { source: "live_backup", seq: seq + 1 })
  })

  it("starts a new epoch with a new seq after lost history", () => {
    const state = new Script().begin().add("HistoryLost", { epoch: 2 }).fold()
    assert.deepStrictEqual([state.epoch, state.seq], [2, 1])
  })
})

describe("kills", () => {
  it("count for killer, victim and assister; the first of a round is the opening kill", () => {
    const state = new Script().begin().live(1).kill(1, r1, b1, { headshot: true, assisterId: r2 }).kill(1, r1, b2).end(1, "CT").fold()
    const killer = tallyOf(state, r1)
    assert.deepStrictEqual([killer?.kills, killer?.headshots, killer?.firstKills, killer?.multiKills[0]], [2, 1, 1, 1])
    assert.deepStrictEqual([tallyOf(state, b1)?.deaths, tallyOf(state, b1)?.firstDeaths], [1, 1])
    assert.strictEqual(tallyOf(state, b2)?.firstDeaths, 0)
    assert.strictEqual(tallyOf(state, r2)?.assists, 1)
  })

  it("of a team mate count nothing for the killer", () => {
    const state = new Script().begin().live(1).kill(1, r1, r2).fold()
    assert.strictEqual(tallyOf(state, r1)?.kills, 0)
    assert.strictEqual(tallyOf(state, r2)?.deaths, 1)
  })

  it("a fatal fall subtracts a kill, and leaving the game counts nothing", () => {
    const fallen = new Script().begin().live(1).kill(1, null, r1, { weapon: "world" }).fold()
    assert.deepStrictEqual([tallyOf(fallen, r1)?.kills, tallyOf(fallen, r1)?.deaths], [-1, 1])
    const left = new Script().begin().live(1).kill(1, r1, r1, { weapon: "world" }).fold()
    assert.deepStrictEqual([tallyOf(left, r1)?.kills, tallyOf(left, r1)?.deaths], [0, 0])
    assert.isFalse(playerOf(left, r1)?.alive)
  })

  it("a death is traded if the killer dies within five seconds, but not later", () => {
    const traded = new Script().begin().live(1).kill(1, b1, r1).kill(1, r2, b1).end(1, "CT").fold()
    assert.strictEqual(tallyOf(traded, r1)?.kastRounds, 1)
    assert.strictEqual(tallyOf(traded, r2)?.tradeKills, 1)
    const late = new Script().begin().live(1).kill(1, b1, r1).wait(4_000).kill(1, r2, b1).end(1, "CT").fold()
    assert.strictEqual(tallyOf(late, r1)?.kastRounds, 0)
  })

  it("the last player alive of a team has a clutch", () => {
    const state = new Script().begin().live(1).kill(1, b1, r1).kill(1, r2, b1).kill(1, r2, b2).end(1, "CT").fold()
    assert.deepStrictEqual([tallyOf(state, r2)?.clutchAttempts, tallyOf(state, r2)?.clutchesWon], [1, 1])
  })

  it("after the end of a round still count, and change who survived", () => {
    const before = new Script().begin().live(1).end(1, "T", "elimination")
    assert.strictEqual(tallyOf(before.fold(), r1)?.kastRounds, 1)
    const after = before.kill(1, b1, r1).fold()
    assert.deepStrictEqual([tallyOf(after, r1)?.deaths, tallyOf(after, r1)?.kastRounds], [1, 0])
  })

  it("after the deciding round still change the statistics of the completed map", () => {
    const script = playedMap(13, 0)
    const state = script.kill(13, b1, r1).fold()
    assert.strictEqual(state.maps[0]?.lines.find((line) => line.playerId === b1)?.kills, 1)
  })
})

describe("damage", () => {
  it("counts against enemies and reduces health, but never kills", () => {
    const state = new Script()
      .begin()
      .live(1)
      .add("PlayerHurt", { mapNumber: 1, round: 1, attackerId: r1, victimId: b1, weapon: "awp", damage: 90 })
      .add("PlayerHurt", { mapNumber: 1, round: 1, attackerId: b2, victimId: b1, weapon: "hegrenade", damage: 30 })
      .fold()
    assert.strictEqual(tallyOf(state, r1)?.damage, 90)
    assert.strictEqual(tallyOf(state, b2)?.damage, 0)
    assert.deepStrictEqual([playerOf(state, b1)?.hp, playerOf(state, b1)?.alive], [0, true])
  })
})

describe("the bomb", () => {
  const planted = () => new Script().begin().live(1).add("BombPlanted", { mapNumber: 1, round: 1, playerId: b1, site: "A" })

  it("sets the clock when planted, and a defuse ends it", () => {
    const state = planted().fold()
    assert.strictEqual(state.round?.bomb?.state, "planted")
    assert.strictEqual(state.round?.clockEndsAt, state.observedAt + 40_000)
    const defused = planted().add("BombDefused", { mapNumber: 1, round: 1, playerId: r1 }).end(1, "CT", "bomb_defused").fold()
    assert.strictEqual(defused.round?.bomb?.state, "defused")
    assert.strictEqual(currentMap(defused)?.rounds[0]?.winType, "bomb_defused")
  })
})

describe("rejected events", () => {
  const next = <E extends FeedEvent>(script: Script, event: E): RejectionCode | undefined => decide(script.fold(), event)?.code
  const last = (script: Script): FeedEvent => {
    const event = script.events.pop()
    if (event === undefined) throw new Error("the script is empty")
    return event
  }

  const cases: ReadonlyArray<readonly [string, RejectionCode, () => Script]> = [
    ["a second match", "match_exists", () => new Script().begin().create()],
    ["a map start while another map is live", "map_in_play", () => new Script().begin().map(2)],
    ["a map start with the wrong number", "wrong_map", () => playedMap(13, 0, { bestOf: 3 }).map(3)],
    ["a fact of another map", "wrong_map", () => new Script().begin().live(1).end(1, "CT", "elimination", 2)],
    ["an unknown player", "unknown_player", () => new Script().begin().live(1).kill(1, playerId(99), b1)],
    ["a second death in a round", "player_dead", () => new Script().begin().live(1).kill(1, r1, b1).kill(1, r2, b1)],
    ["a fact of a completed round", "late_round", () => new Script().begin().wonBy(red, 1).live(2).kill(1, r1, b1)],
    ["a fact of a round that has not started", "early_round", () => new Script().begin().live(1).kill(3, r1, b1)],
    [
      "a round start before the end of the previous round",
      "round_not_over",
      () => new Script().begin().live(1).add("RoundStarted", { mapNumber: 1, round: 2, ctTeamId: red }),
    ],
    ["a second end of a round", "round_over", () => new Script().begin().wonBy(red, 1).end(1, "CT")],
    [
      "a plant by CT",
      "bomb_state",
      () => new Script().begin().live(1).add("BombPlanted", { mapNumber: 1, round: 1, playerId: r1, site: "A" }),
    ],
    [
      "a defuse without a plant",
      "bomb_state",
      () => new Script().begin().live(1).add("BombDefused", { mapNumber: 1, round: 1, playerId: r1 }),
    ],
    ["a win of T by time", "score_mismatch", () => new Script().begin().live(1).end(1, "T", "time_expired")],
    [
      "a score with fewer rounds than before",
      "score_mismatch",
      () =>
        new Script()
          .begin()
          .wonBy(red, 1)
          .live(2)
          .add("RoundEnded", { mapNumber: 1, round: 2, winner: "CT", winType: "elimination", score: { ct: 0, t: 1 } }),
    ],
    ["an event of another match", "wrong_match", () => new Script().begin().add("PlayerLeft", { playerId: r1 }, { matchId: matchId(7) })],
    [
      "a fact from the future",
      "observed_in_future",
      () => new Script().begin().add("PlayerLeft", { playerId: r1 }, { observedAt: 1_800_000_000_000 }),
    ],
    [
      "a fact of the backup feed while the main feed is in use",
      "backup_standby",
      () => new Script().begin().add("PlayerLeft", { playerId: r1 }, { source: "backup" }),
    ],
    ["a new map after the match", "match_over", () => playedMap(13, 0).map(2)],
    [
      "a kill of a new round after a match that ended within a map",
      "match_over",
      () => new Script().begin().wonBy(red, 1).add("MatchEnded", { winnerTeamId: null, reason: "completed" }).kill(2, r1, b1),
    ],
  ]
  for (const [what, code, script] of cases) {
    it(`${what}: ${code}`, () => {
      const written = script()
      const event = last(written)
      assert.strictEqual(next(written, event), code)
    })
  }

  it("any event before MatchCreated: match_not_created", () => {
    const [, second] = new Script().begin().events
    assert.isDefined(second)
    if (second !== undefined) assert.strictEqual(decide(undefined, second)?.code, "match_not_created")
  })

  it("a repeated fact: duplicate, and the state is the same object", () => {
    const script = new Script().begin().live(1).kill(1, r1, b1)
    const state = script.fold()
    const event = script.events.at(-1)
    if (event === undefined) throw new Error("no event")
    const again = fold(state, event)
    assert.strictEqual(again._tag, "Rejected")
    assert.strictEqual(again.state, state)
    // The same kill with another id is rejected by the rules of the game.
    assert.strictEqual(decide(state, { ...event, id: factId("other") })?.code, "player_dead")
  })
})

describe("a round without a reported start", () => {
  it("is opened by its first fact, on the sides given by the rules", () => {
    const script = new Script().begin()
    for (let round = 1; round <= 12; round += 1) script.wonBy(round % 2 === 0 ? red : blue, round)
    const state = script.kill(13, r1, b1).fold()
    assert.strictEqual(state.round?.number, 13)
    assert.strictEqual(state.round?.phase, "live")
    assert.strictEqual(state.teams[state.round?.ctTeam ?? 0].id, ctOf(13))
    assert.strictEqual(ctOf(13), blue)
  })
})
