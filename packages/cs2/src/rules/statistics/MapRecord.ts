/**
 * A record of everything that happened on a completed map: the common input for statistics, to which every source with
 * enough detail is converted. It contains observations only. The other files of this folder detect trades, clutches and
 * buy types from it, in the same way for all sources.
 *
 * Times are milliseconds since a fixed point before the first round of the map. Values that a source does not report
 * are undefined. A list is either complete or undefined.
 */
import type { PlayerRef, TeamSlot } from "../archive/ArchivedMatch.ts"
import type { WinType } from "../live/feedEvents.ts"
import type { Side } from "../live/rules.ts"

export interface MapRecord {
  /** `de_<name>`. */
  readonly map: string
  readonly players: ReadonlyArray<PlayerOnMap>
  /** In the order in which they were played. */
  readonly rounds: ReadonlyArray<RoundRecord>
}

/** It has no meaning in other records. */
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
  /** End of freeze time. Durations and clocks of the round are measured from it. */
  readonly liveAt: number
  readonly endedAt: number
  readonly winner: Side
  readonly winType: WinType
  /** Players at the start of the round, including bots. */
  readonly present: ReadonlyArray<PresentPlayer>
  /** In chronological order. Kills after the end of the round belong to it too. */
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

/** In dollars, after all players have made their purchases. */
export interface EconomyRecord {
  readonly startMoney: number
  readonly spent: number
  readonly equipmentValue: number
  /** Items that the player bought and did not return for a refund. */
  readonly purchases?: number | undefined
}

/** If only `player` is null, it is a bot. If `side` is null too, it is the environment (a fall or the bomb). */
export interface Actor {
  readonly player: PlayerKey | null
  readonly side: Side | null
  /** The player is dead and controls a bot. */
  readonly controlsBot: boolean
}

export interface KillRecord {
  readonly at: number
  readonly killer: Actor
  readonly victim: Actor
  readonly assister: Actor | null
  /** Name in the game, without a prefix, such as `ak47`. `world` for falls and for deaths by leaving the game. */
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
  /** At most the health that the victim had left. */
  readonly health: number
}

export type Grenade = "flash" | "smoke" | "fire" | "he" | "decoy"

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
