/**
 * Applies and emits the damage and deaths of a round. Determines who is credited with the damage and the assist, the
 * kill reward, and what a dead player drops. `duel.ts` decides which players fight and how the fight ends.
 */
import type { Random } from "@matchpoint/simulator/random"
import { arsenal, type Weapon } from "./arsenal.ts"
import { TEAM_KILL_FINE } from "./economy.ts"
import type { Fighter } from "./fighter.ts"
import type { Script } from "./script.ts"
import type { Squad } from "./squad.ts"

/** Minimum damage to a victim for an assist when a teammate makes the kill. */
const ASSIST_DAMAGE = 41

export interface KillDetails {
  readonly weapon: Weapon
  readonly headshot: boolean
  readonly throughSmoke: boolean
  readonly wallbang: boolean
  /** Teammate whose flashbang blinded the victim. */
  readonly flasher: Fighter | null
}

const plainly = (weapon: Weapon): KillDetails => ({ weapon, headshot: false, throughSmoke: false, wallbang: false, flasher: null })

export class Battle {
  readonly script: Script
  readonly random: Random
  readonly ct: Squad
  readonly t: Squad
  carrier: Fighter | null = null
  /** True after the end of the map: only hits and kills are emitted then, because the fold rejects all other facts. */
  shotsOnly = false

  constructor(script: Script, random: Random, ct: Squad, t: Squad) {
    this.script = script
    this.random = random
    this.ct = ct
    this.t = t
  }

  squadOf(fighter: Fighter): Squad {
    return fighter.side === "CT" ? this.ct : this.t
  }

  enemiesOf(fighter: Fighter): Squad {
    return fighter.side === "CT" ? this.t : this.ct
  }

  /** `attacker` is `null` for the environment. If the damage is fatal, the caller must emit the kill event. */
  hurt(attacker: Fighter | null, victim: Fighter, weapon: string, damage: number, armorDamage: number): void {
    victim.hp -= damage
    victim.armor -= armorDamage
    if (victim.armor === 0) victim.helmet = false
    if (attacker !== null && attacker.side !== victim.side)
      victim.woundedBy[attacker.slot] = (victim.woundedBy[attacker.slot] ?? 0) + damage
    const { mapNumber, round } = this.script
    this.script.write({
      type: "PlayerHurt",
      payload: {
        mapNumber,
        round,
        attackerId: attacker?.id ?? null,
        victimId: victim.id,
        weapon,
        damage,
        armorDamage,
        hpLeft: victim.hp,
        armorLeft: victim.armor,
      },
    })
  }

  /** Emits the kill of a player whose health an enemy or a teammate has reduced to zero. */
  kill(killer: Fighter, victim: Fighter, details: KillDetails): void {
    const helper = this.assisterOf(killer, victim)
    const assister = details.flasher !== null && details.flasher !== killer ? details.flasher : helper
    this.writeKill(killer, victim, assister, details)
    if (killer.side === victim.side) killer.earn(-TEAM_KILL_FINE)
    else this.reward(killer, victim, details.weapon)
    this.fall(victim)
  }

  /** Death without another player: `world` for a fall, `planted_c4` for the bomb. */
  die(victim: Fighter, weapon: "world" | "planted_c4"): void {
    this.hurt(null, victim, weapon, victim.hp, 0)
    this.writeDeath(victim, weapon)
    this.fall(victim)
  }

  /** Damage by a grenade, an explosion or fire; fire in several calls. Emits the kill if the damage was fatal. */
  burn(thrower: Fighter, victim: Fighter, weapon: Weapon, damage: number): void {
    this.hurt(thrower, victim, weapon.name, Math.min(damage, victim.hp), 0)
    if (victim.hp === 0) this.kill(thrower, victim, plainly(weapon))
  }

  private reward(killer: Fighter, victim: Fighter, weapon: Weapon): void {
    killer.kills += 1
    killer.earn(weapon.reward)
    const found = victim.primary
    const better = found !== null && found.power > killer.weapon.power + 0.2
    if (killer.alive && better && this.random.chance(0.55)) {
      killer.primary = found
      victim.primary = null
    }
    if (this.shotsOnly) return
    const { mapNumber, round } = this.script
    this.script.write({ type: "PlayersReported", payload: { mapNumber, round, players: [killer.report()] } })
  }

  private fall(victim: Fighter): void {
    victim.alive = false
    if (this.carrier !== victim) return
    this.carrier = null
    if (this.shotsOnly) return
    const { mapNumber, round } = this.script
    this.script.write({ type: "BombDropped", payload: { mapNumber, round, playerId: victim.id } })
  }

  private assisterOf(killer: Fighter, victim: Fighter): Fighter | null {
    let best: Fighter | null = null
    let most = ASSIST_DAMAGE - 1
    for (const mate of this.enemiesOf(victim).fighters) {
      const taken = victim.woundedBy[mate.slot] ?? 0
      if (mate === killer || taken <= most) continue
      best = mate
      most = taken
    }
    return best
  }

  private writeKill(killer: Fighter, victim: Fighter, assister: Fighter | null, details: KillDetails): void {
    const { mapNumber, round } = this.script
    this.script.write({
      type: "PlayerKilled",
      payload: {
        mapNumber,
        round,
        killerId: killer.id,
        victimId: victim.id,
        assisterId: assister?.id ?? null,
        flashAssist: assister !== null && assister === details.flasher,
        weapon: details.weapon.name,
        headshot: details.headshot,
        throughSmoke: details.throughSmoke,
        wallbang: details.wallbang,
      },
    })
  }

  private writeDeath(victim: Fighter, weapon: string): void {
    const { mapNumber, round } = this.script
    this.script.write({
      type: "PlayerKilled",
      payload: {
        mapNumber,
        round,
        killerId: null,
        victimId: victim.id,
        assisterId: null,
        flashAssist: false,
        weapon,
        headshot: false,
        throughSmoke: false,
        wallbang: false,
      },
    })
  }
}

/** A stray bullet hits a teammate. Callers do this rarely, once in many rounds. */
export const friendlyFire = (battle: Battle, shooter: Fighter, mate: Fighter): void => {
  const damage = Math.min(mate.hp, battle.random.int(6, 45))
  battle.hurt(shooter, mate, shooter.weapon.name, damage, 0)
  if (mate.hp === 0) battle.kill(shooter, mate, plainly(shooter.weapon))
}

/** Grenades before a fight. Some of them hit. */
export const throwUtility = (battle: Battle, throwers: Squad, targets: Squad): void => {
  for (const thrower of throwers.fighters) {
    if (!thrower.alive) continue
    if (thrower.grenades > 0 && battle.random.chance(0.55)) {
      thrower.grenades -= 1
      battle.script.reportThrow(thrower.id, "he")
      const victim = targets.choose(battle.random, () => 1)
      if (victim !== undefined && battle.random.chance(0.55)) {
        battle.script.pass(battle.random.between(200, 900))
        battle.burn(thrower, victim, arsenal.he, battle.random.int(5, victim.armor > 0 ? 38 : 60))
      }
    }
    if (thrower.fires > 0 && battle.random.chance(0.55)) {
      thrower.fires -= 1
      battle.script.reportThrow(thrower.id, "fire")
      const victim = targets.choose(battle.random, () => 1)
      if (victim === undefined || !battle.random.chance(0.4)) continue
      for (let steps = battle.random.int(1, 4); steps > 0 && victim.alive; steps--) {
        battle.script.pass(battle.random.between(150, 350))
        battle.burn(thrower, victim, arsenal.molotov, battle.random.int(3, 9))
      }
    }
    if (thrower.smokes > 0 && battle.random.chance(0.7)) {
      thrower.smokes -= 1
      battle.script.reportThrow(thrower.id, "smoke")
    }
  }
}
