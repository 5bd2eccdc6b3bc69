/**
 * Damage: health taken from enemies. ADR is damage per round played. Health beyond what the victim had is not damage (an AWP's hit
 * on a man with 20 health is 20), nor is armour, nor what mates or the player himself suffered, nor what bots suffered or what was
 * done in a bot's body. The game's scoreboard and HLTV count so; cs-demo-analyzer: `isValidPlayerDamageEvent`.
 */
import type { DamageRecord, PlayerKey, RoundRecord } from "./MapRecord.ts"

/** Grenades, by whatever they hurt: blast, fire, or the grenade itself on somebody's head. */
export const utilityWeapons: ReadonlySet<string> = new Set([
  "hegrenade",
  "molotov",
  "incgrenade",
  "inferno",
  "flashbang",
  "smokegrenade",
  "decoy",
])

/** Of a hit: never more than the victim had left. */
export const healthTaken = (hit: number, healthBefore: number): number => Math.max(0, Math.min(hit, healthBefore))

const isDamageOf = ({ attacker, victim }: DamageRecord, player: PlayerKey): boolean =>
  attacker.player === player && !attacker.controlsBot && victim.player !== null && victim.player !== player && attacker.side !== victim.side

export interface Dealt {
  readonly damage: number
  /** By grenades. */
  readonly utility: number
}

/** Undefined where the source does not tell damage. */
export const damageOf = (rounds: ReadonlyArray<RoundRecord>, player: PlayerKey): Dealt | undefined => {
  let damage = 0
  let utility = 0
  for (const round of rounds) {
    if (round.damages === undefined) return undefined
    for (const record of round.damages) {
      if (!isDamageOf(record, player)) continue
      damage += record.health
      if (utilityWeapons.has(record.weapon)) utility += record.health
    }
  }
  return { damage, utility }
}
