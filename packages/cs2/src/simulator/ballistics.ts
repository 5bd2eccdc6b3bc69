/** Damage of one bullet to one player from hit group, distance and armor, by the game's formula. */
import type { Random } from "@matchpoint/simulator/random"
import type { Weapon } from "./arsenal.ts"
import type { Fighter } from "./fighter.ts"

export interface Hit {
  readonly damage: number
  readonly armorDamage: number
  readonly headshot: boolean
}

export const hit = (random: Random, weapon: Weapon, aim: number, victim: Fighter): Hit => {
  const roll = random.next()
  const headRate = weapon.headRate * aim
  const headshot = roll < headRate
  const body = headshot ? 0 : (roll - headRate) / (1 - headRate)
  const legs = !headshot && body > 0.93
  const group = headshot ? 4 : legs ? 0.75 : body > 0.72 ? 1.25 : 1
  const raw = weapon.damage * group * random.between(0.82, 1)
  const armored = victim.armor > 0 && !legs && (!headshot || victim.helmet)
  const taken = armored ? raw * weapon.penetration : raw
  return {
    damage: Math.min(victim.hp, Math.max(1, Math.floor(taken))),
    armorDamage: armored ? Math.min(victim.armor, Math.ceil((raw - taken) / 2)) : 0,
    headshot,
  }
}
