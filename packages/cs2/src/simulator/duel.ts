/** One duel between two enemies: the winner, the damage that the winner takes, and whether both survive. */
import { arsenal } from "./arsenal.ts"
import { hit } from "./ballistics.ts"
import type { Battle, KillDetails } from "./battle.ts"
import type { Fighter } from "./fighter.ts"

/** `dead` is `null` if both survive. */
export interface DuelResult {
  readonly winner: Fighter
  readonly dead: Fighter | null
}

export interface DuelTerms {
  /** Advantage of the player that opens the duel by position, numbers and surprise, as log-odds of winning. */
  readonly edge: number
  /** Probability of a death. */
  readonly deadly: number
}

export const duel = (battle: Battle, opener: Fighter, target: Fighter, terms: DuelTerms): DuelResult => {
  const { random } = battle
  const flasher = throwFlash(battle, opener)
  const edge = terms.edge + (flasher === null ? 0 : FLASH_EDGE) + numbers(battle, opener)
  const wins = random.chance(logistic(worth(opener) - worth(target) + edge))
  const winner = wins ? opener : target
  const loser = wins ? target : opener
  shootBack(battle, loser, winner)
  if (!random.chance(terms.deadly)) {
    wound(battle, winner, loser)
    return { winner, dead: null }
  }
  const details = shootDown(battle, winner, loser, wins ? flasher : null)
  battle.kill(winner, loser, details)
  return { winner, dead: loser }
}

const FLASH_EDGE = 0.55

const logistic = (logit: number): number => 1 / (1 + Math.exp(-logit))

/** Strength of a player in a duel, as log-odds, from skill, weapon, armor and health. */
const worth = (fighter: Fighter): number =>
  fighter.skill + fighter.weapon.power + (fighter.armor > 0 ? 0.22 : -0.22) + (fighter.helmet ? 0.1 : 0) + (fighter.hp - 100) * 0.011

/** Advantage by the numbers of living players, as log-odds. Positive if the opener's team has more than the enemy. */
const numbers = (battle: Battle, opener: Fighter): number => 0.08 * (battle.squadOf(opener).living - battle.enemiesOf(opener).living)

/** The player that threw a flashbang for this duel, if any: the opener, or a teammate, who may then earn a flash assist. */
const throwFlash = (battle: Battle, opener: Fighter): Fighter | null => {
  if (!battle.random.chance(0.24)) return null
  const thrower = battle.squadOf(opener).choose(battle.random, (fighter) => fighter.flashbangs)
  if (thrower === undefined) return null
  thrower.flashbangs -= 1
  battle.script.reportThrow(thrower.id, "flash")
  return thrower
}

/** Hits of the loser on the winner. They are never fatal. */
const shootBack = (battle: Battle, loser: Fighter, winner: Fighter): void => {
  const roll = battle.random.next()
  const shots = roll < 0.55 ? 0 : roll < 0.84 ? 1 : 2
  for (let i = 0; i < shots; i++) shootUnlessDeadly(battle, loser, winner)
}

const wound = (battle: Battle, winner: Fighter, loser: Fighter): void => {
  const shots = battle.random.int(1, 2)
  for (let i = 0; i < shots; i++) shootUnlessDeadly(battle, winner, loser)
}

const shootUnlessDeadly = (battle: Battle, shooter: Fighter, victim: Fighter): void => {
  const bullet = hit(battle.random, shooter.weapon, 0.3, victim)
  if (bullet.damage >= victim.hp) return
  battle.script.pass(battle.random.between(0.4, 1.4) * shooter.weapon.hitMs)
  battle.hurt(shooter, victim, shooter.weapon.name, bullet.damage, bullet.armorDamage)
}

const shootDown = (battle: Battle, killer: Fighter, victim: Fighter, flasher: Fighter | null): KillDetails => {
  const { random, script } = battle
  const weapon = random.chance(KNIFE_KILLS) ? arsenal.knife : killer.weapon
  let headshot = false
  while (victim.hp > 0) {
    script.pass(random.between(0.5, 1.5) * weapon.hitMs)
    const bullet = hit(random, weapon, 1 + killer.skill * 0.3, victim)
    headshot = bullet.headshot
    battle.hurt(killer, victim, weapon.name, bullet.damage, bullet.armorDamage)
  }
  const ranged = weapon.kind === "rifle" || weapon.kind === "sniper" || weapon.kind === "pistol"
  return {
    weapon,
    headshot,
    throughSmoke: ranged && random.chance(0.07),
    wallbang: ranged && random.chance(0.035),
    flasher: flasher !== null && flasher !== killer && random.chance(0.75) ? flasher : null,
  }
}

const KNIFE_KILLS = 0.003
