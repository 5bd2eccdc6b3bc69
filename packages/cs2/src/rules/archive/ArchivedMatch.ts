/**
 * A finished or announced match as reported by a source: the common format of the importers, the season simulator and
 * finished live matches. Values that a source does not report are undefined, never zero. Teams and players have only
 * the names that the source uses; they are matched to known entities when the match is stored.
 */

/**
 * `key` is an id that the source uses for this team only. A source without ids must omit it: if it used the team name
 * instead, all teams with the same name would be merged into one.
 */
export interface TeamRef {
  readonly key?: string | undefined
  /** Site that issued the id in `key`. Set if several sources use the ids of that site. */
  readonly issuer?: string | undefined
  readonly name: string
  /** Number of the team in this service. Only sources of live matches provide it. */
  readonly teamNumber?: number | undefined
}

export interface PlayerRef {
  readonly key?: string | undefined
  readonly nickname: string
  /** Number of the player in this service. Only sources with Steam accounts provide it. */
  readonly playerNumber?: number | undefined
}

export interface EventRef {
  readonly key?: string | undefined
  readonly name: string
  readonly tier?: "S" | "A" | "B" | "C" | undefined
  readonly isLan?: boolean | undefined
}

/** 0 is team 1, 1 is team 2. */
export type TeamSlot = 0 | 1

export interface MatchLink {
  readonly url: string
  readonly platform: string
  /** Two-letter ISO 639 code. */
  readonly language: string
}

export interface VetoStep {
  readonly order: number
  readonly action: "ban" | "pick" | "decider"
  readonly team: TeamSlot | null
  /** `de_<name>`. */
  readonly map: string
}

export interface ArchivedMatch {
  readonly source: string
  readonly key: string
  /** Number of the match in this service. Only sources of live matches provide it. */
  readonly matchNumber?: number | undefined
  readonly status: "upcoming" | "live" | "completed" | "cancelled"
  /** Epoch milliseconds. */
  readonly startsAt: number
  readonly startsPrecision: "minute" | "day"
  readonly endsAt?: number | undefined
  readonly event?: EventRef | undefined
  readonly stageName?: string | undefined
  readonly bestOf?: number | undefined
  readonly isLan?: boolean | undefined
  readonly teams: readonly [TeamRef, TeamRef]
  /** Maps won by team 1 and by team 2. */
  readonly score?: readonly [number, number] | undefined
  readonly winner?: TeamSlot | undefined
  readonly isForfeit?: boolean | undefined
  readonly veto?: ReadonlyArray<VetoStep> | undefined
  /**
   * Recordings of the match. In `demoLinks` and `streamLinks`, `{matchId}` is a placeholder for this service's match
   * id, which sources do not have.
   */
  readonly demoLinks?: ReadonlyArray<string> | undefined
  readonly streamLinks?: ReadonlyArray<MatchLink> | undefined
  /** In any order, without coaches. */
  readonly lineups: readonly [ReadonlyArray<PlayerRef>, ReadonlyArray<PlayerRef>]
  readonly games: ReadonlyArray<ArchivedGame>
  readonly confidence: "high" | "medium" | "low"
}

export interface ArchivedGame {
  readonly mapNumber: number
  /** `de_<name>`. */
  readonly map: string
  readonly resultType: "played" | "forfeit" | "unplayed"
  readonly score?: readonly [number, number] | undefined
  readonly halves?: ReadonlyArray<ArchivedHalf> | undefined
  readonly pickedBy?: TeamSlot | null | undefined
  readonly winner?: TeamSlot | undefined
  readonly durationMs?: number | undefined
  readonly playedAt?: number | undefined
  readonly lines: ReadonlyArray<ArchivedPlayerStats>
  readonly rounds: ReadonlyArray<ArchivedRound>
  readonly events: ReadonlyArray<ArchivedGameEvent>
}

export interface ArchivedHalf {
  readonly number: number
  /** `null` if the source does not report it. */
  readonly team1Side: "CT" | "T" | null
  readonly team1: number
  readonly team2: number
  readonly overtime: boolean
}

/** One player on one map. Shares are numbers from 0 to 1. */
export interface ArchivedPlayerStats {
  readonly player: PlayerRef
  readonly team: TeamSlot
  readonly rounds: number
  readonly kills: number
  readonly deaths: number
  readonly assists?: number | undefined
  readonly headshots?: number | undefined
  readonly firstKills?: number | undefined
  readonly firstDeaths?: number | undefined
  readonly kast?: number | undefined
  readonly adr?: number | undefined
  /** Rating by the formula `svc_rating_1`. */
  readonly rating?: number | undefined
  readonly damage?: number | undefined
  readonly utilityDamage?: number | undefined
  readonly flashAssists?: number | undefined
  readonly tradeKills?: number | undefined
  /** Rounds with 1, 2, 3, 4 and 5 kills, in this order. */
  readonly multiKills?: readonly [number, number, number, number, number] | undefined
  readonly clutches?: ClutchTally | undefined
  readonly utility?: UtilityTally | undefined
  readonly economy?: EconomyTally | undefined
  readonly weapons?: ReadonlyArray<{ readonly weapon: string; readonly kills: number; readonly headshots: number }> | undefined
}

export interface ClutchTally {
  readonly attempts: number
  readonly won: number
  readonly won1v1?: number | undefined
  readonly won1v2?: number | undefined
  readonly won1v3Plus?: number | undefined
}

export interface UtilityTally {
  readonly flashes: number
  readonly smokes: number
  readonly fireGrenades: number
  readonly heGrenades: number
  readonly decoys: number
}

export interface EconomyTally {
  readonly purchases?: number | undefined
  readonly totalSpend: number
  /** Value at the end of freeze time, summed over the rounds for which it is known: `equipmentSnapshots` rounds. */
  readonly equipmentValue: number
  readonly equipmentSnapshots: number
  readonly fullBuyRounds: number
  readonly halfBuyRounds: number
  readonly forceBuyRounds: number
  readonly ecoOrPistolRounds: number
}

export type BuyType = "pistol" | "eco" | "force" | "half" | "full"

export interface ArchivedRound {
  readonly round: number
  readonly ct: TeamSlot
  readonly winnerSide: "CT" | "T"
  /** The same values as for live matches: `Target_Bombed`, `Terrorists_Win`, … */
  readonly winType: string
  /** Rounds won by team 1 and by team 2 after this round. */
  readonly score: readonly [number, number]
  readonly ctEquipmentValue?: number | undefined
  readonly tEquipmentValue?: number | undefined
  readonly ctBuyType?: BuyType | undefined
  readonly tBuyType?: BuyType | undefined
  readonly bombSite?: "A" | "B" | undefined
  readonly durationMs?: number | undefined
}

export interface ArchivedGameEvent {
  readonly type:
    | "Kill"
    | "BombPlanted"
    | "BombDefused"
    | "BombExploded"
    | "Flashbang"
    | "Smoke"
    | "FireGrenade"
    | "HeGrenade"
    | "Decoy"
    | "RoundStart"
    | "RoundEnd"
  readonly round?: number | undefined
  /** Milliseconds since the start of the round. */
  readonly clockMs?: number | undefined
  /** Epoch milliseconds. */
  readonly observedAt?: number | undefined
  /** Milliseconds since the first round of the map went live. Gives the time of the event if it is not reported. */
  readonly offsetMs?: number | undefined
  readonly player?: PlayerRef | undefined
  readonly victim?: PlayerRef | undefined
  readonly assister?: PlayerRef | undefined
  readonly weapon?: string | undefined
  readonly headshot?: boolean | undefined
  readonly payload?: Readonly<Record<string, string | number | boolean | null>> | undefined
}
