/**
 * The facts of a completed map: the common input for statistics. Every source with enough detail is converted to it.
 * Pure data without interpretation: the other files of this folder detect trades, clutches and buy types, once for all
 * sources.
 *
 * Times are milliseconds since a fixed point before the first round, the same for the whole map. Values that a source
 * does not report are undefined. A list that is present is complete.
 */
import type { PlayerRef, TeamSlot } from "../archive/ArchivedMatch.ts"
import type { WinType } from "../live/feedEvents.ts"
import type { Side } from "../live/rules.ts"

export interface MapRecord {
  /** Map id, `de_<name>`. */
  readonly map: string
  readonly players: ReadonlyArray<PlayerOnMap>
  /** Rounds in playing order. */
  readonly rounds: ReadonlyArray<RoundRecord>
}

/** Identifies a player within one map record, and nowhere else. */
export type PlayerKey = string

export interface PlayerOnMap {
  readonly key: PlayerKey
  readonly player: PlayerRef
  readonly team: TeamSlot
}

export interface RoundRecord {
  readonly number: number
  readonly overtime: boolean
  readonly ct: TeamSlot
  /** End of freeze time. Durations and clocks of the round start here. */
  readonly liveAt: number
  readonly endedAt: number
  readonly winner: Side
  readonly winType: WinType
  /** Everyone who started the round, including bots. */
  readonly present: ReadonlyArray<PresentPlayer>
  /** Kills in chronological order. Kills after the end of the round still belong to it. */
  readonly kills: ReadonlyArray<KillRecord>
  readonly damages?: ReadonlyArray<DamageRecord> | undefined
  readonly grenades?: ReadonlyArray<GrenadeRecord> | undefined
  readonly bombs: ReadonlyArray<BombRecord>
}

export interface PresentPlayer {
  /** `null` for a bot. */
  readonly player: PlayerKey | null
  readonly side: Side
  readonly economy?: EconomyRecord | undefined
}

/** Amounts in dollars after all players have made their purchases. */
export interface EconomyRecord {
  readonly startMoney: number
  readonly spent: number
  readonly equipmentValue: number
  /** Number of items bought and kept. */
  readonly purchases?: number | undefined
}

/**
 * The author or victim of an action. Without a player, it is a bot; without a player and a side, it is the world
 * (falls, the bomb).
 */
export interface Actor {
  readonly player: PlayerKey | null
  readonly side: Side | null
  /** True if the player is dead and controls a bot. */
  readonly controlsBot: boolean
}

export interface KillRecord {
  readonly at: number
  readonly killer: Actor
  readonly victim: Actor
  readonly assister: Actor | null
  /** Name of the weapon in the game, without prefix: `ak47`. `world` for falls and for leaving the game. */
  readonly weapon: string
  readonly headshot: boolean
  readonly flashAssist: boolean
  readonly throughSmoke: boolean
  readonly wallbang: boolean
}

export interface DamageRecord {
  readonly at: number
  readonly attacker: Actor
  readonly victim: Actor
  readonly weapon: string
  /** Health actually taken, at most what the victim had. */
  readonly health: number
}

export type Grenade = "flash" | "smoke" | "fire" | "he" | "decoy"

/** A thrown grenade. */
export interface GrenadeRecord {
  readonly at: number
  readonly thrower: Actor
  readonly grenade: Grenade
}

export interface BombRecord {
  readonly at: number
  readonly type: "BombPlanted" | "BombDefused" | "BombExploded"
  readonly player: PlayerKey | null
  readonly site: "A" | "B" | null
}
