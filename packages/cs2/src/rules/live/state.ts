/**
 * The state of one CS2 match, computed by applying its facts one after another, and stored in checkpoints. It is plain
 * JSON without undefined values, so that a rebuilt state serializes to the same JSON text.
 */
import type { MatchId } from "@matchpoint/domain/ids"
import type { PlayerId, TeamId } from "../ids.ts"
import type { BackupSeries, WinType } from "./feedEvents.ts"
import type { MatchRules, Side, TeamIndex } from "./rules.ts"

/**
 * Increase it when the format changes. Checkpoints in an older format are then migrated, or the states of their matches
 * are rebuilt from the facts.
 */
export const STATE_FORMAT = 3

export type MatchStatus = "scheduled" | "live" | "completed" | "cancelled"

export interface Team {
  readonly id: TeamId
  readonly name: string
  /** Other names that feeds may use. */
  readonly aliases: ReadonlyArray<string>
  readonly logoUrl: string | null
  /** Tactical timeouts left on this map; null if unknown. */
  readonly timeoutsRemaining: number | null
}

/** One player on one map. `damage` is the health taken from enemies. */
export interface PlayerTally {
  readonly kills: number
  readonly deaths: number
  readonly assists: number
  readonly flashAssists: number
  readonly headshots: number
  readonly damage: number
  readonly firstKills: number
  readonly firstDeaths: number
  readonly tradeKills: number
  readonly clutchAttempts: number
  readonly clutchesWon: number
  /** Rounds in which the player had a kill or an assist, survived, or died and was traded. */
  readonly kastRounds: number
  /** Rounds with 2, 3, 4 and 5 kills. */
  readonly multiKills: readonly [number, number, number, number]
}

export const emptyTally: PlayerTally = {
  kills: 0,
  deaths: 0,
  assists: 0,
  flashAssists: 0,
  headshots: 0,
  damage: 0,
  firstKills: 0,
  firstDeaths: 0,
  tradeKills: 0,
  clutchAttempts: 0,
  clutchesWon: 0,
  kastRounds: 0,
  multiKills: [0, 0, 0, 0],
}

export interface Player {
  readonly id: PlayerId
  readonly team: TeamIndex
  readonly nickname: string
  readonly name: string | null
  readonly connected: boolean
  readonly alive: boolean
  readonly hp: number
  readonly armor: number | null
  readonly helmet: boolean | null
  readonly defuseKit: boolean | null
  readonly money: number | null
  readonly equipmentValue: number | null
  readonly weapon: string | null
  /** Counters on the current map. */
  readonly tally: PlayerTally
  /** Values in the current round. */
  readonly round: {
    readonly kills: number
    readonly assisted: boolean
    readonly died: boolean
    readonly traded: boolean
    /** This round is already counted in `tally.kastRounds`. Set when the round ends. */
    readonly credited: boolean
  }
}

export interface Bomb {
  readonly state: "carried" | "dropped" | "planted" | "defusing" | "defused" | "exploded"
  readonly playerId: PlayerId | null
  readonly site: "A" | "B" | null
  readonly plantedAt: number | null
  readonly explodesAt: number | null
}

export interface RoundResult {
  readonly round: number
  readonly factId: string
  readonly winner: Side
  readonly winnerTeam: TeamIndex
  readonly winType: WinType
  /** Scores after the round. */
  readonly ctScore: number
  readonly tScore: number
  /** Totals of each side when the round went live; null if unknown. */
  readonly ctEquipment: number | null
  readonly tEquipment: number | null
  /** Totals of each side when the round went live. Missing in checkpoints of older versions. */
  readonly ctMoney?: number | null
  readonly tMoney?: number | null
  readonly endedAt: number
}

export interface Clutch {
  readonly playerId: PlayerId
  readonly team: TeamIndex
  readonly opponents: number
}

/** A kill in the current round, kept so that a later kill can be recognised as a trade (it avenges a team mate). */
export interface Duel {
  readonly at: number
  readonly killerId: PlayerId | null
  readonly victimId: PlayerId | null
}

export interface Round {
  readonly number: number
  readonly phase: "freezetime" | "live" | "over"
  readonly ctTeam: TeamIndex
  /** Start of freeze time; null if the feed did not report it. */
  readonly startedAt: number | null
  readonly liveAt: number | null
  /** When the running clock (freeze time, round or bomb) reaches zero; null if unknown or the clock is stopped. */
  readonly clockEndsAt: number | null
  /** Seconds left if the clock is stopped; otherwise null. */
  readonly clockStoppedAt: number | null
  readonly bomb: Bomb | null
  readonly duels: ReadonlyArray<Duel>
  readonly openingDone: boolean
  readonly clutches: ReadonlyArray<Clutch>
  readonly ctEquipment: number | null
  readonly tEquipment: number | null
  readonly ctMoney?: number | null
  readonly tMoney?: number | null
}

/** Stored for completed maps, computed on request for the current map. */
export interface PlayerState extends PlayerTally {
  readonly playerId: PlayerId
  readonly team: TeamIndex
  readonly nickname: string
}

export interface GameMap {
  readonly number: number
  readonly name: string
  readonly status: "live" | "completed"
  readonly pickTeamId: TeamId | null
  readonly startingCtTeam: TeamIndex
  readonly score: readonly [number, number]
  /** Rounds won by each team in each half. */
  readonly halves: ReadonlyArray<readonly [number, number]>
  readonly roundsPlayed: number
  readonly winner: TeamIndex | "draw" | null
  readonly endReason: "score" | "surrender" | "forfeit" | null
  readonly rounds: ReadonlyArray<RoundResult>
  /** Empty until the map is over. */
  readonly lines: ReadonlyArray<PlayerState>
  readonly startedAt: number
  readonly endedAt: number | null
}

export interface LastEvent {
  readonly id: string
  readonly type: string
  readonly round: number
  readonly clockSeconds: number | null
  readonly killerPlayerId: PlayerId | null
  readonly victimPlayerId: PlayerId | null
  readonly weapon: string | null
  readonly headshot: boolean | null
  readonly throughSmoke: boolean | null
}

export interface MatchState {
  readonly format: typeof STATE_FORMAT
  readonly matchId: MatchId
  readonly epoch: number
  /** Accepted events in this epoch: 1, 2, 3, ... without gaps. */
  readonly seq: number
  readonly status: MatchStatus
  readonly source: "live" | "live_backup"
  /** The series by the backup feed. Set when the match switches to it; null again once the main feed has caught up. */
  readonly backup: BackupSeries | null
  readonly bestOf: number
  readonly rules: MatchRules
  readonly eventName: string | null
  readonly teams: readonly [Team, Team]
  /**
   * Names that belong to neither team, each with the team to which it was provisionally assigned. While the list is not
   * empty, it is uncertain which results belong to which team.
   */
  readonly unresolvedNames: ReadonlyArray<{ readonly name: string; readonly team: TeamIndex }>
  readonly seriesScore: readonly [number, number]
  readonly winner: TeamIndex | "draw" | null
  readonly endReason: "completed" | "forfeit" | "cancelled" | null
  readonly maps: ReadonlyArray<GameMap>
  readonly players: ReadonlyArray<Player>
  /**
   * Present if the registration lists all players, at least five of each team. Other people in the game are then
   * coaches, observers or guests.
   */
  readonly hasWholeRoster?: true
  readonly round: Round | null
  readonly timeout: { readonly team: TeamIndex | null; readonly kind: "tactical" | "technical"; readonly since: number } | null
  readonly lastEvent: LastEvent | null
  /**
   * Ids of accepted events, so that repetitions are rejected: events about the match as a whole, and of the current
   * round. Ids of earlier rounds are not needed, because all events of a completed round are rejected.
   */
  readonly seen: { readonly match: ReadonlyArray<string>; readonly round: ReadonlyArray<string> }
  /** Set while all feeds are silent. `since` is the time at which the watchdog detected the silence. */
  readonly silence: { readonly status: "stale" | "interrupted"; readonly lastReportAt: number; readonly since: number } | null
  readonly startedAt: number | null
  readonly endedAt: number | null
  /** Times of the newest event that was accepted from a feed, or of a later switch between feeds. */
  readonly observedAt: number
  readonly receivedAt: number
}

/** Between maps and after the match, the map that was played last. */
export const currentMap = (state: MatchState): GameMap | undefined => state.maps[state.maps.length - 1]

export const teamIndexOf = (state: MatchState, id: TeamId): TeamIndex | undefined =>
  state.teams[0].id === id ? 0 : state.teams[1].id === id ? 1 : undefined

export const sideOfTeam = (round: Round, team: TeamIndex): Side => (round.ctTeam === team ? "CT" : "T")

export const playerOf = (state: MatchState, id: PlayerId): Player | undefined => state.players.find((player) => player.id === id)

/** The registration lists all players, and the person is not one of them. */
export const isOutsider = (state: MatchState, id: PlayerId): boolean => state.hasWholeRoster === true && playerOf(state, id) === undefined

/** Null if unknown. Never negative. */
export const clockSecondsAt = (round: Round, at: number): number | null => {
  if (round.clockStoppedAt !== null) return round.clockStoppedAt
  return round.clockEndsAt === null ? null : Math.max(0, Math.ceil((round.clockEndsAt - at) / 1000))
}
