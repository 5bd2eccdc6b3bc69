/**
 * Simulates a live round, from the end of freeze time to the last death after the round is decided. The attackers look
 * for an opening, attack a site and plant the bomb. The defenders hold the site, retake it, defuse the bomb or save
 * their weapons. Each phase advances the clock and then checks whether a side has won.
 */
import type { WinType } from "../rules/live/feedEvents.ts"
import type { MatchRules, Side } from "../rules/live/rules.ts"
import { arsenal } from "./arsenal.ts"
import { type Battle, friendlyFire, throwUtility } from "./battle.ts"
import { type DuelTerms, duel } from "./duel.ts"
import { DEFUSE_REWARD, type Outcome, PLANT_REWARD } from "./economy.ts"
import type { Fighter } from "./fighter.ts"

interface RoundWin {
  readonly winner: Side
  readonly winType: WinType
}

const PLANT_MS = 3_200
const DEFUSE_MS = 10_000
const DEFUSE_WITH_KIT_MS = 5_000
/**
 * Advantage of holding an angle against an advancing enemy, as log-odds of winning a duel: of defenders before the bomb
 * is planted, and of attackers afterwards.
 */
const HOLDING_EDGE = 0.2
const POST_PLANT_EDGE = 0.05

export class RoundPlay {
  readonly #battle: Battle
  readonly #rules: MatchRules
  readonly #ctEdge: number
  readonly #liveAt: number
  readonly #site: "A" | "B"
  readonly #firstContactAt: number
  readonly #executeAt: number
  #executing = false
  #attackersSave = false
  #plantedAt: number | null = null
  #retakeAt = 0
  #defendersSave = false
  /** Defenders too close to the bomb to escape its explosion. */
  #atBomb: ReadonlyArray<Fighter> = []

  /** `ctEdge`: advantage of the defenders on the map, as log-odds of winning a duel. */
  constructor(battle: Battle, rules: MatchRules, ctEdge: number) {
    const { random, script } = battle
    this.#battle = battle
    this.#rules = rules
    this.#ctEdge = ctEdge
    this.#liveAt = script.now
    this.#site = random.chance(0.54) ? "A" : "B"
    const roundMs = rules.roundSeconds * 1000
    const tempo = random.next()
    const [from, to] = tempo < 0.14 ? [0.12, 0.24] : tempo < 0.72 ? [0.4, 0.72] : [0.68, 0.88]
    this.#executeAt = this.#liveAt + random.between(from, to) * roundMs
    this.#firstContactAt = this.#liveAt + Math.min(random.between(0.08, 0.5) * roundMs, this.#executeAt - this.#liveAt)
  }

  play(): Outcome {
    let win = this.#verdict()
    while (win === undefined) {
      win = (this.#plantedAt === null ? this.#beforePlant() : this.#afterPlant(this.#plantedAt)) ?? this.#verdict()
    }
    return { ...win, planted: this.#plantedAt !== null }
  }

  /** After the round is decided: damage by the exploding bomb, and last shots. */
  aftermath(outcome: Outcome): void {
    const { random, script, ct, t } = this.#battle
    if (outcome.winType === "bomb_exploded") {
      for (const fighter of [...ct.fighters, ...t.fighters]) {
        const caught = this.#atBomb.includes(fighter) || random.chance(0.03)
        if (!fighter.alive || !caught) continue
        if (fighter.hp === 1 || random.chance(0.8)) this.#battle.die(fighter, "planted_c4")
        else this.#battle.hurt(null, fighter, "planted_c4", random.int(1, fighter.hp - 1), 0)
      }
    }
    if (outcome.winType === "elimination" || !random.chance(0.15)) return
    script.pass(random.between(500, 2_500))
    this.#playDuel(random.chance(0.5) ? "CT" : "T", { edge: 0, deadly: 0.5 })
  }

  #verdict(): RoundWin | undefined {
    if (this.#battle.ct.living === 0) return { winner: "T", winType: "elimination" }
    return this.#battle.t.living === 0 && this.#plantedAt === null ? { winner: "CT", winType: "elimination" } : undefined
  }

  get #timeEndsAt(): number {
    return this.#liveAt + this.#rules.roundSeconds * 1000
  }

  #beforePlant(): RoundWin | undefined {
    const { random, script, ct, t } = this.#battle
    if (script.now >= this.#timeEndsAt) return { winner: "CT", winType: "time_expired" }
    this.#attackersSave ||= ct.living - t.living >= 3 && random.chance(0.12)
    if (this.#attackersSave) return this.#hide(this.#timeEndsAt, "CT")
    if (!this.#executing) return this.#lookForOpening()
    if (script.now + PLANT_MS > this.#timeEndsAt) return this.#tryUntil(this.#timeEndsAt)
    if (this.#battle.carrier === null) return this.#recoverBomb()
    // When the attack starts, two defenders are at the site. The others arrive one by one.
    const rotated = Math.floor((script.now - this.#executeAt) / 6_000)
    const defenders = Math.min(ct.living, 2 + rotated)
    if (random.chance(Math.min(0.8, 0.07 + 0.14 * Math.max(0, t.living - defenders)))) return this.#plant(this.#battle.carrier)
    script.pass(random.between(700, 3_200))
    this.#playDuel(random.chance(0.6) ? "T" : "CT", { edge: 0, deadly: 0.78 })
    return undefined
  }

  /** Early round: single duels at intervals, then the start of the attack. */
  #lookForOpening(): undefined {
    const { random, script, t, ct } = this.#battle
    const next = script.now < this.#firstContactAt ? this.#firstContactAt : script.now + 1_500 + random.wait(17_000)
    if (random.chance(0.012)) this.#accident()
    if (next < this.#executeAt) {
      script.pass(next - script.now)
      this.#playDuel(random.chance(0.5) ? "T" : "CT", { edge: 0, deadly: 0.66 })
    } else {
      script.pass(this.#executeAt - script.now)
      this.#executing = true
      throwUtility(this.#battle, t, ct)
      throwUtility(this.#battle, ct, t)
    }
  }

  /** A player is hurt by a fall or by a teammate's bullet. */
  #accident(): void {
    const { random, ct, t } = this.#battle
    const squad = random.chance(0.5) ? ct : t
    const victim = squad.choose(random, () => 1)
    const mate = squad.choose(random, (fighter) => (fighter === victim ? 0 : 1))
    if (victim === undefined) return
    if (mate !== undefined && random.chance(0.6)) friendlyFire(this.#battle, mate, victim)
    else if (random.chance(0.3)) this.#battle.die(victim, "world")
    else if (victim.hp > 1) this.#battle.hurt(null, victim, "world", random.int(1, Math.min(40, victim.hp - 1)), 0)
  }

  #recoverBomb(): undefined {
    const { random, script, t } = this.#battle
    script.pass(random.between(1_200, 4_500))
    const finder = t.choose(random, () => 1)
    if (finder === undefined) return
    // The bomb lies where its carrier died, and defenders watch that spot: the finder may be attacked first.
    if (random.chance(0.35)) this.#playDuel("CT", { edge: 0, deadly: 0.7 }, finder)
    if (!finder.alive) return
    this.#battle.carrier = finder
    const { mapNumber, round } = script
    script.write({ type: "BombPickedUp", payload: { mapNumber, round, playerId: finder.id } })
  }

  #plant(planter: Fighter): undefined {
    const { random, script } = this.#battle
    if (random.chance(0.14)) {
      script.pass(random.between(300, PLANT_MS - 300))
      this.#playDuel("CT", { edge: 0.3, deadly: 0.8 }, planter)
      return
    }
    script.pass(PLANT_MS)
    planter.earn(PLANT_REWARD)
    this.#battle.carrier = null
    this.#plantedAt = script.now
    this.#retakeAt = script.now + random.between(3_000, 13_000)
    const { mapNumber, round } = script
    script.write({ type: "BombPlanted", payload: { mapNumber, round, playerId: planter.id, site: this.#site } })
    this.#judgeRetake()
  }

  #judgeRetake(): void {
    const { random, ct, t } = this.#battle
    const behind = t.living - ct.living
    this.#defendersSave ||= (behind >= 3 && random.chance(0.6)) || (behind === 2 && random.chance(0.15))
  }

  #afterPlant(plantedAt: number): RoundWin | undefined {
    const { random, script, ct, t } = this.#battle
    const explodesAt = plantedAt + this.#rules.bombSeconds * 1000
    if (script.now >= explodesAt) return this.#explode()
    if (t.living === 0) return this.#defuse(explodesAt, random.between(1_500, 5_500))
    if (this.#defendersSave) return this.#hide(explodesAt, "T")
    if (script.now < this.#retakeAt) {
      script.pass(this.#retakeAt - script.now)
      throwUtility(this.#battle, ct, t)
    }
    const kits = ct.fighters.some((fighter) => fighter.alive && fighter.kit)
    if (script.now + (kits ? DEFUSE_WITH_KIT_MS : DEFUSE_MS) + 800 > explodesAt) {
      this.#defendersSave = true
      return undefined
    }
    if (random.chance(0.13)) return this.#stickDefuse(explodesAt)
    script.pass(random.between(600, 3_000))
    if (script.now >= explodesAt) return this.#explode()
    this.#playDuel(random.chance(0.6) ? "CT" : "T", { edge: 0, deadly: 0.88 })
    this.#judgeRetake()
    return undefined
  }

  /** A defuse while attackers are alive, either as a bluff or with the intent to finish it. */
  #stickDefuse(explodesAt: number): RoundWin | undefined {
    const { random, script, ct } = this.#battle
    const defuser = ct.choose(random, (fighter) => (fighter.kit ? 3 : 1))
    if (defuser === undefined) return undefined
    if (random.chance(0.12)) return this.#defuse(explodesAt, 300)
    this.#startDefuse(defuser)
    script.pass(random.between(600, 2_500))
    if (script.now >= explodesAt) return this.#explode()
    this.#playDuel("T", { edge: 0.35, deadly: 0.8 }, defuser)
    return undefined
  }

  #startDefuse(defuser: Fighter): void {
    const { mapNumber, round } = this.#battle.script
    this.#battle.script.write({ type: "BombDefuseStarted", payload: { mapNumber, round, playerId: defuser.id, withKit: defuser.kit } })
  }

  /** No enemy interrupts this defuse: it succeeds if there is enough time. `walk`: milliseconds to reach the bomb. */
  #defuse(explodesAt: number, walk: number): RoundWin | undefined {
    const { random, script, ct } = this.#battle
    const defuser = ct.choose(random, (fighter) => (fighter.kit ? 1 : 0)) ?? ct.choose(random, () => 1)
    if (defuser === undefined) return undefined
    const needs = defuser.kit ? DEFUSE_WITH_KIT_MS : DEFUSE_MS
    const inTime = script.now + walk + needs < explodesAt
    if (!inTime && (script.now + walk >= explodesAt || random.chance(0.6))) {
      script.pass(explodesAt - script.now)
      return this.#explode()
    }
    script.pass(walk)
    this.#startDefuse(defuser)
    if (!inTime) {
      this.#atBomb = [defuser]
      script.pass(explodesAt - script.now)
      return this.#explode()
    }
    script.pass(needs)
    defuser.earn(DEFUSE_REWARD)
    const { mapNumber, round } = script
    script.write({ type: "BombDefused", payload: { mapNumber, round, playerId: defuser.id } })
    return { winner: "CT", winType: "bomb_defused" }
  }

  #explode(): RoundWin {
    const { mapNumber, round } = this.#battle.script
    this.#battle.script.write({ type: "BombExploded", payload: { mapNumber, round } })
    return { winner: "T", winType: "bomb_exploded" }
  }

  /** One side saves its weapons by avoiding fights, while the enemy hunts its players and sometimes finds them. */
  #hide(until: number, hunters: Side): undefined {
    const { random, script } = this.#battle
    const huntedAt = script.now + random.between(3_000, 25_000)
    if (huntedAt < until - 2_000 && random.chance(0.4)) {
      script.pass(huntedAt - script.now)
      this.#playDuel(hunters, { edge: 0.2, deadly: 0.6 })
    } else {
      script.pass(until - script.now)
    }
  }

  /** The last seconds, too late to plant the bomb. A kill can still change the result of the round. */
  #tryUntil(until: number): undefined {
    const { random, script } = this.#battle
    const duelAt = script.now + random.between(300, 2_500)
    script.pass(Math.min(duelAt, until) - script.now)
    if (duelAt < until) this.#playDuel("T", { edge: -0.1, deadly: 0.5 })
  }

  /** If one of them dies, a nearby teammate may kill the winner immediately afterwards (a trade). */
  #playDuel(openers: Side, terms: DuelTerms, target?: Fighter): void {
    const { random, script } = this.#battle
    const [side, other] = openers === "CT" ? [this.#battle.ct, this.#battle.t] : [this.#battle.t, this.#battle.ct]
    const opener = side.choose(random, boldness)
    const enemy = target?.alive === true ? target : other.choose(random, boldness)
    if (opener === undefined || enemy === undefined) return
    const held = this.#plantedAt === null ? HOLDING_EDGE + this.#ctEdge : -POST_PLANT_EDGE
    const { winner, dead } = duel(this.#battle, opener, enemy, { ...terms, edge: terms.edge + (openers === "CT" ? held : -held) })
    if (dead === null || !random.chance(0.3)) return
    const avenger = this.#battle.squadOf(dead).choose(random, boldness)
    if (avenger === undefined || !winner.alive) return
    script.pass(random.between(350, 2_200))
    duel(this.#battle, avenger, winner, { edge: 0.35, deadly: 0.85 })
  }
}

/** Weight in the choice of who fights next. It decreases with each kill: the position is known, so the player moves. */
const boldness = ({ kills, role, weapon }: Fighter): number => {
  const style = weapon === arsenal.awp ? 1.9 : role === "entry" ? 1.3 : role === "support" ? 0.85 : 1
  return style / (1 + 0.3 * kills)
}
