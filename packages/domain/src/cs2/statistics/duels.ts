/**
 * Definition of a kill, and the opening duels and trades derived from kills.
 *
 * Kills count as on the scoreboard of the game, in cs-demo-analyzer (MIT, `pkg/api/player.go`) and in the live section:
 * - A kill is that of an enemy, including bots. Killing a team mate or oneself is not a kill.
 * - A fatal fall (killed by the world with `world`) subtracts a kill and is a death.
 * - Leaving the game ("world" as the weapon against oneself) is neither a kill nor a death.
 * - Kills and deaths while controlling a bot do not count for the player.
 */
import type { Actor, KillRecord, PlayerKey, RoundRecord } from "./MapRecord.ts"

/**
 * A death is traded if the killer dies less than this time later, in the same round. cs-demo-analyzer:
 * `tradeKillDelaySeconds`.
 */
export const TRADE_WINDOW_MS = 5_000

const WORLD = "world"

const isWorld = (actor: Actor): boolean => actor.player === null && actor.side === null

export const isSuicide = ({ killer, victim }: KillRecord): boolean => killer.player !== null && killer.player === victim.player

/** Returns true if the killer belongs to the other side, and is not the world. */
export const isOfEnemy = (kill: KillRecord): boolean => !isWorld(kill.killer) && !isSuicide(kill) && kill.killer.side !== kill.victim.side

/** Returns true if the killer is a team mate: another player, or a bot, of the victim's side. */
export const isOfMate = (kill: KillRecord): boolean => !isWorld(kill.killer) && !isSuicide(kill) && kill.killer.side === kill.victim.side

export const isLeaving = (kill: KillRecord): boolean => isSuicide(kill) && kill.weapon === WORLD

const isFall = (kill: KillRecord): boolean => isWorld(kill.killer) && kill.weapon === WORLD

/** Returns true if the kill counts for the player's kills, headshots, weapons and multi-kills. */
export const isKillOf = (kill: KillRecord, player: PlayerKey): boolean =>
  kill.killer.player === player && !kill.killer.controlsBot && isOfEnemy(kill)

export const isDeathOf = (kill: KillRecord, player: PlayerKey): boolean =>
  kill.victim.player === player && !kill.victim.controlsBot && !isLeaving(kill)

/** Returns kills minus fatal falls, as on the scoreboard. Can be negative. */
export const killsOf = (kills: ReadonlyArray<KillRecord>, player: PlayerKey): number =>
  kills.filter((kill) => isKillOf(kill, player)).length -
  kills.filter((kill) => isFall(kill) && kill.victim.player === player && !kill.victim.controlsBot).length

/** Returns true if the player has an assist for the kill. Only kills of enemies have assists. */
export const isAssistOf = ({ assister, victim }: KillRecord, player: PlayerKey): boolean =>
  assister !== null && assister.player === player && !assister.controlsBot && assister.side !== victim.side

/** Returns true if the player's flashbang had blinded the victim, as reported by the game. */
export const isFlashAssistOf = (kill: KillRecord, player: PlayerKey): boolean => kill.flashAssist && isAssistOf(kill, player)

/**
 * Returns the opening duel of the round: the first kill of an enemy by a player that does not control a bot. Falls,
 * team kills and the bomb do not count.
 */
export const openingOf = (round: RoundRecord): KillRecord | undefined =>
  round.kills.find((kill) => isOfEnemy(kill) && !kill.killer.controlsBot)

export interface Trades {
  /** Kills of an enemy that had just killed a team mate of the killer. */
  readonly kills: ReadonlySet<KillRecord>
  /** Kills whose victim was avenged. */
  readonly avenged: ReadonlySet<KillRecord>
}

/**
 * Detects trades. A kill avenges every kill that its victim made less than {@link TRADE_WINDOW_MS} before, whoever
 * makes the avenging kill. The avenged victims count as traded, even though they are dead. If the killer avenges a team
 * mate on an enemy, it is a trade kill.
 */
export const tradesOf = (round: RoundRecord): Trades => {
  const kills = new Set<KillRecord>()
  const avenged = new Set<KillRecord>()
  round.kills.forEach((kill, index) => {
    if (isWorld(kill.killer) || kill.victim.player === null) return
    for (const earlier of round.kills.slice(0, index)) {
      if (earlier.killer.player !== kill.victim.player || kill.at - earlier.at >= TRADE_WINDOW_MS) continue
      avenged.add(earlier)
      if (isOfEnemy(kill) && earlier.victim.side === kill.killer.side) kills.add(kill)
    }
  })
  return { kills, avenged }
}

/** Returns the number of enemies that the player killed in a round. */
export const roundKillsOf = (round: RoundRecord, player: PlayerKey): number => round.kills.filter((kill) => isKillOf(kill, player)).length
