import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { apexRules } from "../../../src/rules/live/apexRules.ts"
import { FeedEvent } from "../../../src/rules/live/feedEvents.ts"
import { ref, Script, sheet } from "./script.ts"

const points = ({ live }: Script) => live.standings.map((row) => row.points)
const placements = ({ live }: Script) => live.game?.teams.map(({ placement }) => placement)

describe("a lobby", () => {
  it("derives placements from the order of deaths, and points from placements and kills", () => {
    const lobby = new Script(sheet(4)).start(1)
    assert.deepStrictEqual(points(lobby), [5, 5, 5, 5])
    lobby.wipe(1, 4, ref(1, 1))
    assert.deepStrictEqual(placements(lobby), [null, null, null, 4])
    assert.deepStrictEqual(points(lobby), [7 + 3, 7, 7, 5])
    assert.deepInclude(lobby.live.lastAction, { type: "kill", eliminated: { team: 4, placement: 4 } })
    lobby.wipe(1, 3, null).wipe(1, 1, ref(2, 3))
    assert.strictEqual(lobby.live.standings[1]?.wins, 0)
    lobby.play("GameEnded", { game: 1 })
    assert.isNull(lobby.live.game)
    assert.deepStrictEqual(points(lobby), [9 + 3, 12 + 3, 7, 5])
    assert.deepStrictEqual(
      lobby.live.standings.map(({ rank }) => rank),
      [2, 1, 3, 4],
    )
    assert.strictEqual(lobby.live.standings[1]?.wins, 1)
    lobby.play("SeriesEnded", {})
    assert.deepInclude(lobby.live, { status: "completed", winner: 2 })
    assert.strictEqual(lobby.try("Cancelled", {}), "match_over")
  })

  it("counts a death in the ring for the player that the fact names, and otherwise for nobody", () => {
    const lobby = new Script(sheet(3)).start(1)
    lobby.play("PlayerKilled", { game: 1, victim: ref(3, 1), attacker: null, cause: "ring" })
    assert.deepStrictEqual(
      lobby.live.game?.teams.map(({ kills }) => kills),
      [0, 0, 0],
    )
    lobby.play("PlayerKilled", { game: 1, victim: ref(3, 2), attacker: ref(2, 1), cause: "ring" })
    assert.deepStrictEqual(
      lobby.live.game?.teams.map(({ kills }) => kills),
      [0, 1, 0],
    )
    assert.deepInclude(lobby.live.lastAction, { cause: "ring" })
  })

  it("knocks down, revives and respawns players", () => {
    const lobby = new Script(sheet(3)).start(1)
    const victim = ref(1, 1)
    lobby.play("PlayerKnocked", { game: 1, victim, attacker: ref(2, 1) })
    assert.strictEqual(lobby.try("PlayerKnocked", { game: 1, victim, attacker: ref(2, 1) }), "player_not_alive")
    lobby.play("PlayerRevived", { game: 1, player: victim, by: ref(1, 2) })
    assert.strictEqual(lobby.try("PlayerRevived", { game: 1, player: victim }), "player_not_knocked")
    lobby.play("PlayerKilled", { game: 1, victim, attacker: ref(2, 1), assists: [ref(2, 2)] })
    assert.strictEqual(lobby.try("PlayerKilled", { game: 1, victim, attacker: ref(2, 1) }), "player_dead")
    lobby.play("PlayerRespawned", { game: 1, player: victim, by: ref(1, 3) })
    assert.strictEqual(lobby.live.game?.teams[0]?.alive, 3)
    assert.deepInclude(lobby.live.game?.players[2], { respawns: 1 })
    assert.deepInclude(lobby.live.game?.players[1], { revives: 1 })
    lobby.wipe(1, 1, null)
    assert.strictEqual(lobby.try("PlayerRespawned", { game: 1, player: victim }), "team_out")
  })

  it("rejects impossible attacks and players", () => {
    const lobby = new Script(sheet(3)).start(1)
    assert.strictEqual(lobby.try("PlayerKilled", { game: 1, victim: ref(1, 1), attacker: ref(1, 2) }), "wrong_attacker")
    assert.strictEqual(lobby.try("PlayerKilled", { game: 1, victim: ref(4, 1), attacker: null }), "unknown_player")
    assert.strictEqual(lobby.try("PlayerKilled", { game: 2, victim: ref(1, 1), attacker: null }), "early_fact")
    assert.strictEqual(lobby.try("PlayerRespawned", { game: 1, player: ref(1, 1), by: ref(2, 1) }), "wrong_helper")
    assert.strictEqual(lobby.try("GameEnded", { game: 1 }), "teams_left")
    assert.strictEqual(lobby.try("TeamEliminated", { game: 1, team: 1, placement: 2 }), "wrong_placement")
    lobby.play("TeamEliminated", { game: 1, team: 1, placement: 3 })
    assert.strictEqual(
      lobby.live.game?.players.slice(0, 3).every((line) => line?.state === "dead"),
      true,
    )
    assert.strictEqual(lobby.try("TeamEliminated", { game: 1, team: 1, placement: 3 }), "late_fact")
  })

  it("ignores rings that are older than the known one", () => {
    const ring = { game: 1, damagePerTick: 2, centre: null, radius: null }
    const lobby = new Script(sheet(2)).start(1).play("RingChanged", { ...ring, ring: 1, state: "closing" })
    assert.strictEqual(lobby.try("RingChanged", { ...ring, ring: 1, state: "waiting" }), "late_fact")
    lobby.play("RingChanged", { ...ring, ring: 2, state: "closed" })
    assert.strictEqual(lobby.try("RingChanged", { ...ring, ring: 1, state: "closed" }), "late_fact")
  })

  it("replaces damage with newer sums", () => {
    const lobby = new Script(sheet(2)).start(1)
    lobby.play("DamageReported", { game: 1, totals: [{ player: ref(1, 1), damage: 200, damageTaken: 50 }] })
    lobby.play("DamageReported", { game: 1, totals: [{ player: ref(1, 1), damage: 300 }] })
    assert.deepInclude(lobby.live.game?.players[0], { damage: 300, damageTaken: 50, ringDamage: null })
  })

  it("corrects and cancels games", () => {
    const lobby = new Script(sheet(3)).game(1, [1, 2, 3]).game(2, [1, 2, 3])
    assert.deepStrictEqual(points(lobby), [24, 18, 14])
    const results = [
      { team: 1, placement: 3, kills: 0 },
      { team: 2, placement: 1, kills: 4 },
      { team: 3, placement: 2, kills: 0 },
    ]
    assert.strictEqual(lobby.try("GameCorrected", { game: 1, results: results.slice(1) }), "wrong_results")
    assert.strictEqual(lobby.try("GameCorrected", { game: 3, results }), "early_fact")
    lobby.play("GameCorrected", { game: 1, results })
    assert.deepStrictEqual(points(lobby), [19, 25, 16])
    lobby.play("GameCancelled", { game: 2 })
    assert.deepStrictEqual(points(lobby), [7, 16, 9])
    assert.strictEqual(lobby.try("GameCancelled", { game: 2 }), "game_cancelled")
    // A game in progress that is cancelled ends, and the next game has the next number.
    lobby.start(3).play("GameCancelled", { game: 3 })
    assert.strictEqual(lobby.try("GameStarted", { game: 3, map: "Olympus" }), "late_fact")
    lobby.start(4).play("GameCorrected", { game: 4, results })
    assert.isNull(lobby.live.game)
    assert.deepStrictEqual(points(lobby), [14, 32, 18])
  })

  it("ends a match point series with the win of a team that was at the threshold", () => {
    const lobby = new Script(sheet(4, { games: 6, matchPoint: 20 })).game(1, [1, 2, 3, 4]).game(2, [1, 2, 3, 4])
    assert.deepStrictEqual(
      lobby.live.standings.map(({ isOnMatchPoint }) => isOnMatchPoint),
      [true, false, false, false],
    )
    // Team 2 reaches the threshold with its win, which therefore does not count as a match point win.
    lobby.game(3, [2, 3, 4, 1]).game(4, [2, 3, 4, 1]).play("SeriesEnded", {})
    assert.strictEqual(lobby.live.winner, 2)
  })

  it("accepts nothing while play is suspended", () => {
    const lobby = new Script(sheet(2)).start(1).play("Suspended", {})
    assert.strictEqual(lobby.try("PlayerKilled", { game: 1, victim: ref(1, 1), attacker: null }), "suspended")
    assert.strictEqual(lobby.try("Suspended", {}), "suspended")
    lobby.play("Resumed", {}).wipe(1, 1, null)
    assert.strictEqual(lobby.try("Resumed", {}), "not_suspended")
  })

  it("ignores repetitions, and facts of games that are over", () => {
    const lobby = new Script(sheet(2)).start(1)
    const kill = lobby.event("PlayerKilled", { game: 1, victim: ref(1, 1), attacker: null })
    assert.isUndefined(lobby.send(kill))
    assert.strictEqual(lobby.send(kill), "duplicate")
    lobby.play("TeamEliminated", { game: 1, team: 1, placement: 2 }).play("GameEnded", { game: 1 })
    assert.strictEqual(lobby.try("PlayerKilled", { game: 1, victim: ref(2, 1), attacker: null }), "late_fact")
    assert.strictEqual(lobby.try("GameEnded", { game: 1 }), "late_fact")
  })

  it("starts games in order, with legends for every player or none", () => {
    const lobby = new Script(sheet(2))
    assert.strictEqual(lobby.try("GameStarted", { game: 2, map: "Olympus" }), "early_fact")
    assert.strictEqual(lobby.try("GameStarted", { game: 1, map: "Olympus", legends: [["Ash"]] }), "wrong_legends")
    assert.strictEqual(lobby.try("SeriesEnded", {}), "match_not_started")
    lobby.play("LobbyReady", { game: 1 })
    assert.strictEqual(lobby.try("LobbyReady", { game: 1 }), "late_fact")
    lobby.play("GameStarted", {
      game: 1,
      map: "Olympus",
      legends: [
        ["Ash", null, "Alter"],
        [null, null, null],
      ],
    })
    assert.strictEqual(lobby.try("GameStarted", { game: 2, map: "Olympus" }), "game_in_progress")
    assert.strictEqual(lobby.try("SeriesEnded", {}), "game_in_progress")
    assert.deepInclude(lobby.live.game?.players[0], { legend: "Ash" })
  })

  it("applies what the backup feed has reported", () => {
    const lobby = new Script(sheet(2)).start(1)
    const kill = lobby.event("PlayerKilled", { game: 1, victim: ref(1, 1), attacker: ref(2, 1) }, { source: "backup" })
    assert.strictEqual(lobby.send(kill), "backup_standby")
    if (kill.type !== "PlayerKilled") return
    lobby.play("SourceChanged", { source: "live_backup", basedOn: lobby.live.seq, reports: [kill] })
    assert.deepInclude(lobby.live, { source: "live_backup", seq: 3 })
    assert.strictEqual(lobby.live.game?.teams[0]?.alive, 2)
    assert.strictEqual(lobby.send(kill), "duplicate")
  })

  it("rejects a cancellation because of silence if a feed has reported in the meantime", () => {
    const limits = { quietAfterMs: 45_000, staleAfterMs: 120_000, interruptedAfterMs: 900_000, cancelAfterMs: 21_600_000 }
    const lobby = new Script(sheet(2)).start(1)
    const watchdog = apexRules.watchdog(lobby.live, limits, 0)
    const decision = watchdog.check(lobby.live, limits.cancelAfterMs, lobby.live.receivedAt) ?? assert.fail("no decision")
    assert.strictEqual(decision.type, "Cancelled")
    assert.deepStrictEqual<unknown>(Schema.decodeUnknownSync(FeedEvent)(decision), decision)
    lobby.play("Suspended", {})
    const step = apexRules.fold(lobby.live, decision)
    assert.strictEqual(step._tag === "Rejected" && step.rejection.code, "outdated")
  })
})
