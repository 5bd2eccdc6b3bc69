/**
 * A map that was played, as facts: what every source deep enough for statistics is brought to before anything is counted. Pure data,
 * no judgement: who was traded, what was a clutch or a full buy is decided by the other files of this folder, once for all sources.
 *
 * Times are milliseconds since any moment before the first round, the same for the whole map. What a source does not tell is
 * undefined; a list that is there is complete.
 */
import type { PlayerRef, TeamSlot } from "../archive/ArchivedMatch.ts"
import type { WinType } from "../live/feedEvents.ts"
import type { Side } from "../live/rules.ts"

export interface MapRecord {
  /** de_<name> */
  readonly map: string
  readonly players: ReadonlyArray<PlayerOnMap>
  /** In the order of play. */
  readonly rounds: ReadonlyArray<RoundRecord>
}

/** Tells the players of one map apart, and nothing else. */
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
  /** The end of freeze time; durations and clocks of the round count from here. */
  readonly liveAt: number
  readonly endedAt: number
  readonly winner: Side
  readonly winType: WinType
  /** Everybody who began the round, bots too. */
  readonly present: ReadonlyArray<PresentPlayer>
  /** In order; what falls after the round's end belongs to the round still. */
  readonly kills: ReadonlyArray<KillRecord>
  readonly damages?: ReadonlyArray<DamageRecord> | undefined
  readonly grenades?: ReadonlyArray<GrenadeRecord> | undefined
  readonly bombs: ReadonlyArray<BombRecord>
}

export interface PresentPlayer {
  /** Null: a bot. */
  readonly player: PlayerKey | null
  readonly side: Side
  readonly economy?: EconomyRecord | undefined
}

/** Dollars, as they stood once everybody had bought. */
export interface EconomyRecord {
  readonly startMoney: number
  readonly spent: number
  readonly equipmentValue: number
  /** Items bought and kept. */
  readonly purchases?: number | undefined
}

/** Who did something or had it done to him. Without player: a bot; without side, too: the world (falls, the bomb). */
export interface Actor {
  readonly player: PlayerKey | null
  readonly side: Side | null
  /** Dead himself, he plays on in a bot's body. */
  readonly controlsBot: boolean
}

export interface KillRecord {
  readonly at: number
  readonly killer: Actor
  readonly victim: Actor
  readonly assister: Actor | null
  /** The game's name without prefix: `ak47`; `world` for falls and for leaving the game. */
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
  /** Health really taken: never more than the victim had. */
  readonly health: number
}

export type Grenade = "flash" | "smoke" | "fire" | "he" | "decoy"

/** A grenade that left a hand. */
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
