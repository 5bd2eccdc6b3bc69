/**
 * A record of everything that happened on a completed map. This is the common input for statistics: every source with
 * enough detail is converted to it. It contains observations only. The other files of this folder detect trades,
 * clutches and buy types from it, in the same way for all sources.
 *
 * Times are milliseconds since a fixed point before the first round; the point is the same for the whole map. Values
 * that a source does not report are undefined. A list is either complete or undefined.
 */
import type { PlayerRef, TeamSlot } from "../archive/ArchivedMatch.ts"
import type { WinType } from "../live/feedEvents.ts"
import type { Side } from "../live/rules.ts"

export interface MapRecord {
  /** Id of the map in the form `de_<name>`. */
  readonly map: string
  readonly players: ReadonlyArray<PlayerOnMap>
  /** Rounds of the map in the order in which they were played. */
  readonly rounds: ReadonlyArray<RoundRecord>
}

/** Identifies a player within one map record. The key has no meaning in other records. */
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
  /** Time at which freeze time ended. Durations and clocks of the round are measured from this time. */
  readonly liveAt: number
  readonly endedAt: number
  readonly winner: Side
  readonly winType: WinType
  /** All players who started the round, including bots. */
  readonly present: ReadonlyArray<PresentPlayer>
  /** Kills of the round in chronological order. Kills after the end of the round also belong to this round. */
  readonly kills: ReadonlyArray<KillRecord>
  readonly damages?: ReadonlyArray<DamageRecord> | undefined
  readonly grenades?: ReadonlyArray<GrenadeRecord> | undefined
  readonly bombs: ReadonlyArray<BombRecord>
}

export interface PresentPlayer {
  /** Key of the player; `null` for a bot. */
  readonly player: PlayerKey | null
  readonly side: Side
  readonly economy?: EconomyRecord | undefined
}

/** Money and equipment of a player in a round, in dollars, after all players have made their purchases. */
export interface EconomyRecord {
  readonly startMoney: number
  readonly spent: number
  readonly equipmentValue: number
  /** Number of items that the player bought and did not return for a refund. */
  readonly purchases?: number | undefined
}

/**
 * The player, bot or environment that performs an action or is its victim. If only `player` is null, it is a bot. If
 * `side` is null too, it is the environment (a fall or the bomb).
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
  /**
   * Name of the weapon in the game, without a prefix, such as `ak47`. The name is `world` for falls and for deaths by
   * leaving the game.
   */
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
  /** Health actually taken from the victim; at most the health that the victim had left. */
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
