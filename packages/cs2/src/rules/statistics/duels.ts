/**
 * Defines which deaths count as kills, and detects opening duels and trades.
 *
 * Kills are counted as on the scoreboard of the game, in cs-demo-analyzer (MIT, `pkg/api/player.go`) and for live
 * matches:
 * - Only the killing of an enemy, including bots, is a kill. Killing a team mate or oneself is not.
 * - A fatal fall (killed by the environment with the weapon `world`) subtracts a kill and is a death.
 * - Leaving the game (reported as a kill of oneself with the weapon "world") is neither a kill nor a death.
 * - Kills and deaths while controlling a bot do not count for the player.
 */
import type { Actor, KillRecord, PlayerKey, RoundRecord } from "./MapRecord.ts"

/**
 * A death is traded if the killer dies within this time after it, in the same round, in milliseconds (exclusive). The
 * same value as `tradeKillDelaySeconds` in cs-demo-analyzer.
 */
export const TRADE_WINDOW_MS = 5_000

const WORLD = "world"

const isWorld = (actor: Actor): boolean => actor.player === null && actor.side === null

export const isSuicide = ({ killer, victim }: KillRecord): boolean => killer.player !== null && killer.player === victim.player

/** False if the killer is the environment. */
export const isOfEnemy = (kill: KillRecord): boolean => !isWorld(kill.killer) && !isSuicide(kill) && kill.killer.side !== kill.victim.side

/** Another player or a bot on the same side. */
export const isOfMate = (kill: KillRecord): boolean => !isWorld(kill.killer) && !isSuicide(kill) && kill.killer.side === kill.victim.side

export const isLeaving = (kill: KillRecord): boolean => isSuicide(kill) && kill.weapon === WORLD

const isFall = (kill: KillRecord): boolean => isWorld(kill.killer) && kill.weapon === WORLD

/** Counts in the player's statistics: kills, headshots, weapons and multi-kills. */
export const isKillOf = (kill: KillRecord, player: PlayerKey): boolean =>
  kill.killer.player === player && !kill.killer.controlsBot && isOfEnemy(kill)

export const isDeathOf = (kill: KillRecord, player: PlayerKey): boolean =>
  kill.victim.player === player && !kill.victim.controlsBot && !isLeaving(kill)

/** Kills as on the scoreboard: minus fatal falls. Can be negative. */
export const killsOf = (kills: ReadonlyArray<KillRecord>, player: PlayerKey): number =>
  kills.filter((kill) => isKillOf(kill, player)).length -
  kills.filter((kill) => isFall(kill) && kill.victim.player === player && !kill.victim.controlsBot).length

/** Only kills of enemies have assists. */
export const isAssistOf = ({ assister, victim }: KillRecord, player: PlayerKey): boolean =>
  assister !== null && assister.player === player && !assister.controlsBot && assister.side !== victim.side

/** The player assisted the kill by blinding the victim with a flashbang. */
export const isFlashAssistOf = (kill: KillRecord, player: PlayerKey): boolean => kill.flashAssist && isAssistOf(kill, player)

/** The first kill of an enemy by a player that controls no bot. Falls, team kills and deaths by the bomb do not count. */
export const openingOf = (round: RoundRecord): KillRecord | undefined =>
  round.kills.find((kill) => isOfEnemy(kill) && !kill.killer.controlsBot)

export interface Trades {
  /** Kills of an enemy that had just killed a team mate of the killer. */
  readonly kills: ReadonlySet<KillRecord>
  /** Kills whose killer died soon afterwards. */
  readonly avenged: ReadonlySet<KillRecord>
}

/**
 * If a killer dies less than {@link TRADE_WINDOW_MS} after a kill, the victim of that kill is avenged: the death counts
 * as traded, whoever killed the killer. The avenging kill is a trade kill if it was made by a team mate of the avenged
 * player against an enemy.
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

export const roundKillsOf = (round: RoundRecord, player: PlayerKey): number => round.kills.filter((kill) => isKillOf(kill, player)).length
