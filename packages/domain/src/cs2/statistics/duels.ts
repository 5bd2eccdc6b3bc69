/**
 * What a kill is, and the opening duel and the trades that follow from it.
 *
 * Kills count as the game's scoreboard and cs-demo-analyzer (MIT, `pkg/api/player.go`) count them, and as the live section does:
 * - a kill is of an enemy, bots too; killing a mate or oneself is none;
 * - a fatal fall (killed by the world with `world`) takes a kill away and is a death;
 * - leaving the game ("world" on oneself) is neither kill nor death;
 * - what is done in a bot's body is neither the player's kill nor his death.
 */
import type { Actor, KillRecord, PlayerKey, RoundRecord } from "./MapRecord.ts"

/** A death is traded when its killer dies less than this later, in the same round. cs-demo-analyzer: `tradeKillDelaySeconds`. */
export const TRADE_WINDOW_MS = 5_000

const WORLD = "world"

const isWorld = (actor: Actor): boolean => actor.player === null && actor.side === null

export const isSuicide = ({ killer, victim }: KillRecord): boolean => killer.player !== null && killer.player === victim.player

/** Somebody of the other side did it; neither a mate nor the world. */
export const isOfEnemy = (kill: KillRecord): boolean => !isWorld(kill.killer) && !isSuicide(kill) && kill.killer.side !== kill.victim.side

/** A mate did it: another player, or a bot, of the victim's side. */
export const isOfMate = (kill: KillRecord): boolean => !isWorld(kill.killer) && !isSuicide(kill) && kill.killer.side === kill.victim.side

export const isLeaving = (kill: KillRecord): boolean => isSuicide(kill) && kill.weapon === WORLD

const isFall = (kill: KillRecord): boolean => isWorld(kill.killer) && kill.weapon === WORLD

/** Counts for his kills, headshots, weapons and multi-kills. */
export const isKillOf = (kill: KillRecord, player: PlayerKey): boolean =>
  kill.killer.player === player && !kill.killer.controlsBot && isOfEnemy(kill)

export const isDeathOf = (kill: KillRecord, player: PlayerKey): boolean =>
  kill.victim.player === player && !kill.victim.controlsBot && !isLeaving(kill)

/** Kills less fatal falls: what the scoreboard shows, which may be below zero. */
export const killsOf = (kills: ReadonlyArray<KillRecord>, player: PlayerKey): number =>
  kills.filter((kill) => isKillOf(kill, player)).length -
  kills.filter((kill) => isFall(kill) && kill.victim.player === player && !kill.victim.controlsBot).length

/** Of a kill of an enemy; helping to kill a mate is no assist. */
export const isAssistOf = ({ assister, victim }: KillRecord, player: PlayerKey): boolean =>
  assister !== null && assister.player === player && !assister.controlsBot && assister.side !== victim.side

/** A kill of an enemy whom the assister's flash had blinded, as the game itself says. */
export const isFlashAssistOf = (kill: KillRecord, player: PlayerKey): boolean => kill.flashAssist && isAssistOf(kill, player)

/** The round's opening duel: the first kill of an enemy by a player in his own body. Falls, mates and the bomb open nothing. */
export const openingOf = (round: RoundRecord): KillRecord | undefined =>
  round.kills.find((kill) => isOfEnemy(kill) && !kill.killer.controlsBot)

export interface Trades {
  /** Kills of somebody who had just killed a mate of the killer. */
  readonly kills: ReadonlySet<KillRecord>
  /** Kills whose victim was avenged. */
  readonly avenged: ReadonlySet<KillRecord>
}

/**
 * A kill avenges what its victim did less than {@link TRADE_WINDOW_MS} before, whoever does it, so that the dead count as traded; it
 * is a trade kill of its killer where an enemy did it for a mate.
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

/** Kills of enemies in one round. */
export const roundKillsOf = (round: RoundRecord, player: PlayerKey): number => round.kills.filter((kill) => isKillOf(kill, player)).length
