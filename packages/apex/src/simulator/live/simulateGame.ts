/** One game until one team is left. No side effects apart from the random numbers and the lobby that it is given. */
import type { Random } from "@matchpoint/simulator/random"
import type { PlayerRef } from "../../rules/live/lobby.ts"
import { teamsLeft } from "../../rules/live/state.ts"
import type { ApexSquad } from "../apexTeams.ts"
import { bannedLegends, maps, pickLegends, weapons } from "../arena.ts"
import { DamageSheet } from "./DamageSheet.ts"
import { marksman, nextFight, playersIn, teamsIn } from "./fights.ts"
import type { LobbyPlay } from "./LobbyPlay.ts"
import { LAST_RING_MS, ringsOf } from "./rings.ts"
import type { TimedFact } from "./timedFact.ts"

/** Probabilities per fight. */
const RESPAWN = 0.09
const RING_DEATH = 0.04
const DISCONNECT = 0.015
/** Probability that a player is still outside of a ring when it is closed. */
const LATE = 0.15
/** Probability that a player that was knocked down is killed before a teammate can help. */
const FINISHED = 0.6
/** Time between two reports of damage. */
const REPORT_MS = 120_000

type Facts = Generator<TimedFact, void, undefined>

export function* simulateGame(random: Random, play: LobbyPlay, squads: ReadonlyArray<ApexSquad>, game: number): Facts {
  const banned = bannedLegends(random, game - 1)
  const legends = squads.map(({ players }) => pickLegends(random, banned, players.length))
  yield play.add({ type: "GameStarted", payload: { game, map: maps[(game - 1) % maps.length] ?? maps[0], bannedLegends: banned, legends } })
  const round = new GameRound(random, play, squads, game)
  while (teamsLeft(play.game) > 1) yield* round.fight()
  yield* round.reportDamage()
  play.pass(8_000)
  yield play.add({ type: "GameEnded", payload: { game } })
}

class GameRound {
  readonly #random: Random
  readonly #play: LobbyPlay
  readonly #squads: ReadonlyArray<ApexSquad>
  readonly #game: number
  readonly #startedAt: number
  readonly #rings: ReturnType<typeof ringsOf>
  readonly #damage: DamageSheet
  #shownRings = 0
  #reportedAt: number

  constructor(random: Random, play: LobbyPlay, squads: ReadonlyArray<ApexSquad>, game: number) {
    this.#random = random
    this.#play = play
    this.#squads = squads
    this.#game = game
    this.#startedAt = play.offsetMs
    this.#reportedAt = play.offsetMs
    this.#rings = ringsOf(random, game)
    this.#damage = new DamageSheet(squads)
  }

  *fight(): Facts {
    const random = this.#random
    yield* this.#wait(this.#pause())
    if (random.chance(DISCONNECT)) yield* this.#disconnect()
    if (random.chance(RESPAWN)) yield* this.#respawn()
    if (random.chance(RING_DEATH)) return yield* this.#ringDeath()
    const fight = nextFight(random, this.#squads, this.#play.game)
    if (fight === undefined) return
    const [strong, weak] = fight
    const victim = marksman(random, this.#squads, playersIn(this.#play.game, weak, "alive"))
    const attacker = marksman(random, this.#squads, playersIn(this.#play.game, strong, "alive"))
    if (victim === undefined || attacker === undefined) return
    yield* this.#attack(attacker, victim)
    if (this.#play.offsetMs - this.#reportedAt > REPORT_MS) yield* this.reportDamage()
  }

  *reportDamage(): Facts {
    this.#reportedAt = this.#play.offsetMs
    yield this.#play.add({ type: "DamageReported", payload: { game: this.#game, totals: this.#damage.totals() } })
  }

  /** Milliseconds until the next fight. Fights become more frequent as the rings close. */
  #pause(): number {
    const elapsed = this.#play.offsetMs - this.#startedAt
    const mean = elapsed < 90_000 ? 14_000 : elapsed < LAST_RING_MS * 0.75 ? 19_000 : elapsed < LAST_RING_MS ? 8_000 : 3_000
    return Math.min(60_000, this.#random.wait(mean))
  }

  /** Reports the rings that change meanwhile. */
  *#wait(ms: number): Facts {
    const until = this.#play.offsetMs + Math.round(ms)
    for (let ring = this.#rings[this.#shownRings]; ring !== undefined; ring = this.#rings[this.#shownRings]) {
      const at = this.#startedAt + ring.at
      if (at > until) break
      this.#play.pass(Math.max(0, at - this.#play.offsetMs))
      this.#shownRings += 1
      yield this.#play.add({ type: "RingChanged", payload: ring.payload })
      if (ring.payload.state === "closed") this.#damageLatePlayers(ring.payload.damagePerTick ?? 0)
    }
    this.#play.pass(Math.max(0, until - this.#play.offsetMs))
  }

  #damageLatePlayers(damagePerTick: number): void {
    for (const player of teamsIn(this.#play.game).flatMap((team) => playersIn(this.#play.game, team, "alive"))) {
      if (this.#random.chance(LATE)) this.#damage.addRing(player, damagePerTick * this.#random.int(1, 5))
    }
  }

  *#attack(attacker: PlayerRef, victim: PlayerRef): Facts {
    const random = this.#random
    const game = this.#game
    const weapon = random.pick(weapons)
    const damage = random.int(150, 260)
    this.#damage.addFight(attacker, victim, damage)
    this.#damage.addFight(victim, attacker, random.int(20, 150))
    const teammates = playersIn(this.#play.game, victim.team, "alive").length - 1
    if (teammates === 0) return yield* this.#wipe(attacker, victim, weapon)
    yield this.#play.add({ type: "PlayerKnocked", payload: { game, attacker, victim, weapon } })
    yield* this.#wait(random.between(2_000, 9_000))
    if (random.chance(FINISHED)) return yield* this.#kill(attacker, victim, weapon)
    const helpers = playersIn(this.#play.game, victim.team, "alive")
    const by = helpers[random.int(0, helpers.length)] ?? null
    yield this.#play.add({ type: "PlayerRevived", payload: { game, player: victim, by } })
  }

  /** The last standing player of a team has lost: the whole team dies. */
  *#wipe(attacker: PlayerRef, victim: PlayerRef, weapon: string): Facts {
    yield* this.#kill(attacker, victim, weapon)
    for (const knocked of playersIn(this.#play.game, victim.team, "knocked")) {
      this.#play.pass(this.#random.between(300, 2_500))
      yield* this.#kill(attacker, knocked, weapon)
    }
  }

  *#kill(attacker: PlayerRef | null, victim: PlayerRef, weapon: string | null): Facts {
    const teammates =
      attacker === null ? [] : playersIn(this.#play.game, attacker.team, "alive").filter(({ player }) => player !== attacker.player)
    const assists = teammates.filter(() => this.#random.chance(0.35))
    yield this.#play.add({ type: "PlayerKilled", payload: { game: this.#game, attacker, victim, assists, weapon, cause: "player" } })
  }

  /** A player dies outside of the ring. In one of three cases, another team gets the kill. */
  *#ringDeath(): Facts {
    const random = this.#random
    const teams = random.shuffle(teamsIn(this.#play.game))
    const victim = teams.flatMap((team) => playersIn(this.#play.game, team, "alive"))[0]
    if (victim === undefined) return
    const rival = teams.find((team) => team !== victim.team)
    const attacker = rival !== undefined && random.chance(1 / 3) ? (playersIn(this.#play.game, rival, "alive")[0] ?? null) : null
    this.#damage.addRing(victim, 100)
    const out = [
      victim,
      ...(playersIn(this.#play.game, victim.team, "alive").length === 1 ? playersIn(this.#play.game, victim.team, "knocked") : []),
    ]
    for (const player of out) {
      yield this.#play.add({ type: "PlayerKilled", payload: { game: this.#game, attacker, victim: player, cause: "ring" } })
    }
  }

  *#respawn(): Facts {
    const team = this.#random.shuffle(teamsIn(this.#play.game))[0]
    if (team === undefined || (this.#play.game.ring?.ring ?? 0) > 4) return
    const by = playersIn(this.#play.game, team, "alive")[0] ?? null
    for (const player of by === null ? [] : playersIn(this.#play.game, team, "dead")) {
      yield this.#play.add({ type: "PlayerRespawned", payload: { game: this.#game, player, by } })
    }
  }

  *#disconnect(): Facts {
    const team = this.#random.shuffle(teamsIn(this.#play.game))[0]
    const player = team === undefined ? undefined : playersIn(this.#play.game, team, "alive")[0]
    if (player === undefined) return
    yield this.#play.add({ type: "PlayerDisconnected", payload: { game: this.#game, player } })
    yield* this.#wait(this.#random.between(5_000, 20_000))
    yield this.#play.add({ type: "PlayerReconnected", payload: { game: this.#game, player } })
  }
}
