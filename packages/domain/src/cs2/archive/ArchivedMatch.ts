/**
 * A match that is over, or announced, as any source tells it: what importers, the season simulator and ended live matches have in
 * common. What a source does not tell is undefined, never zero. Pure data; who the names belong to is found out when it is stored.
 */

/**
 * As a source names somebody. `key`: the source's own id, which it gives to nobody else. A source that knows names only leaves it out:
 * a key that is the name again would make all of one name the same.
 */
export interface TeamRef {
  readonly key?: string | undefined
  /** The site whose key it is, where several sources tell keys of one site. */
  readonly issuer?: string | undefined
  readonly name: string
  /** Our number, where the source carries it (live matches). */
  readonly teamNumber?: number | undefined
}

export interface PlayerRef {
  readonly key?: string | undefined
  readonly nickname: string
  /** Our number, where the source carries it (Steam accounts). */
  readonly playerNumber?: number | undefined
}

export interface EventRef {
  readonly key?: string | undefined
  readonly name: string
  readonly tier?: "S" | "A" | "B" | "C" | undefined
  readonly isLan?: boolean | undefined
}

/** 0: team1, 1: team2. */
export type TeamSlot = 0 | 1

export interface MatchLink {
  readonly url: string
  readonly platform: string
  /** ISO 639, two letters. */
  readonly language: string
}

export interface VetoStep {
  readonly order: number
  readonly action: "ban" | "pick" | "decider"
  readonly team: TeamSlot | null
  /** de_<name> */
  readonly map: string
}

export interface ArchivedMatch {
  readonly source: string
  readonly key: string
  /** Our number, where the source carries it (live matches). */
  readonly matchNumber?: number | undefined
  readonly status: "upcoming" | "live" | "completed" | "cancelled"
  /** Epoch ms. */
  readonly startsAt: number
  readonly startsPrecision: "minute" | "day"
  readonly endsAt?: number | undefined
  readonly event?: EventRef | undefined
  readonly stageName?: string | undefined
  readonly bestOf?: number | undefined
  readonly isLan?: boolean | undefined
  readonly teams: readonly [TeamRef, TeamRef]
  /** Maps won. */
  readonly score?: readonly [number, number] | undefined
  readonly winner?: TeamSlot | undefined
  readonly isForfeit?: boolean | undefined
  readonly veto?: ReadonlyArray<VetoStep> | undefined
  /** In links, `{matchId}` stands for our id of the match, which a source does not know. */
  readonly demoLinks?: ReadonlyArray<string> | undefined
  readonly streamLinks?: ReadonlyArray<MatchLink> | undefined
  /** Who stood in for each team, in no order, without coaches. */
  readonly lineups: readonly [ReadonlyArray<PlayerRef>, ReadonlyArray<PlayerRef>]
  readonly games: ReadonlyArray<ArchivedGame>
  readonly confidence: "high" | "medium" | "low"
}

export interface ArchivedGame {
  readonly mapNumber: number
  /** de_<name> */
  readonly map: string
  readonly resultType: "played" | "forfeit" | "unplayed"
  readonly score?: readonly [number, number] | undefined
  readonly halves?: ReadonlyArray<ArchivedHalf> | undefined
  readonly pickedBy?: TeamSlot | null | undefined
  readonly winner?: TeamSlot | undefined
  readonly durationMs?: number | undefined
  readonly playedAt?: number | undefined
  readonly lines: ReadonlyArray<PlayerLine>
  readonly rounds: ReadonlyArray<ArchivedRound>
  readonly events: ReadonlyArray<ArchivedGameEvent>
}

export interface ArchivedHalf {
  readonly number: number
  /** Null: not told. */
  readonly team1Side: "CT" | "T" | null
  readonly team1: number
  readonly team2: number
  readonly overtime: boolean
}

/** One player's line of one map. Shares are 0..1. */
export interface PlayerLine {
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
  /** svc_rating_1 */
  readonly rating?: number | undefined
  readonly damage?: number | undefined
  readonly utilityDamage?: number | undefined
  readonly flashAssists?: number | undefined
  readonly tradeKills?: number | undefined
  /** Rounds with 1, 2, 3, 4, 5 kills. */
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
  /** Summed over `equipmentSnapshots` rounds, at the end of freeze time. */
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
  /** As in the live section: `Target_Bombed`, `Terrorists_Win`, … */
  readonly winType: string
  /** After the round. */
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
  /** Since the round's start. */
  readonly clockMs?: number | undefined
  /** Epoch ms. */
  readonly observedAt?: number | undefined
  /** Since the map's first round went live: gives the time where the source knows none. */
  readonly offsetMs?: number | undefined
  readonly player?: PlayerRef | undefined
  readonly victim?: PlayerRef | undefined
  readonly assister?: PlayerRef | undefined
  readonly weapon?: string | undefined
  readonly headshot?: boolean | undefined
  readonly payload?: Readonly<Record<string, string | number | boolean | null>> | undefined
}
