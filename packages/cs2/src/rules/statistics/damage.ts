/**
 * Computes damage, which is the health taken from enemies. ADR is the average damage per round. The following do not
 * count: health beyond what the victim had left (an AWP hit on a player with 20 health counts 20), armour, damage to
 * team mates or oneself, damage to bots, and damage dealt while controlling a bot. The scoreboard of the game, HLTV and
 * cs-demo-analyzer (`isValidPlayerDamageEvent`) count in the same way.
 */
import type { DamageRecord, PlayerKey, RoundRecord } from "./MapRecord.ts"

/** All kinds of grenades, whether they hurt by explosion, fire or impact. */
export const utilityWeapons: ReadonlySet<string> = new Set([
  "hegrenade",
  "molotov",
  "incgrenade",
  "inferno",
  "flashbang",
  "smokegrenade",
  "decoy",
])

/** At most the health that the victim had left. */
export const healthTaken = (hit: number, healthBefore: number): number => Math.max(0, Math.min(hit, healthBefore))

const isDamageOf = ({ attacker, victim }: DamageRecord, player: PlayerKey): boolean =>
  attacker.player === player && !attacker.controlsBot && victim.player !== null && victim.player !== player && attacker.side !== victim.side

export interface Dealt {
  readonly damage: number
  /** Damage by grenades. */
  readonly utility: number
}

/** Undefined if the source does not report damage. */
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
