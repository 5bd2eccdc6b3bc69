/**
 * The state of one CS2 match: the result of folding its feed events, stored in checkpoints. Plain JSON without
 * undefined, so that a rebuilt state has the same JSON text. The document for customers is defined elsewhere.
 */

import type { MatchId } from "../../ids.ts"
import type { PlayerId, TeamId } from "../ids.ts"
import type { BackupSeries, WinType } from "./feedEvents.ts"
import type { MatchRules, Side, TeamIndex } from "./rules.ts"

/**
 * Version of the format. Increase it when the format changes: an older checkpoint is then migrated, or its match is
 * folded again.
 */
export const STATE_FORMAT = 3

export type MatchStatus = "scheduled" | "live" | "completed" | "cancelled"

export interface Team {
  readonly id: TeamId
  readonly name: string
  /** Other names that feeds may show for the team. */
  readonly aliases: ReadonlyArray<string>
  readonly logoUrl: string | null
  /** Tactical timeouts left on this map; null if the number is unknown. */
  readonly timeoutsRemaining: number | null
}

/** Counts of one player on one map. `damage` is health taken from enemies. */
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
  /** Rounds with a kill, an assist, survival or a traded death. */
  readonly kastRounds: number
  /** Number of rounds with 2, 3, 4 and 5 kills. */
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
  /** Counts on the current map. */
  readonly tally: PlayerTally
  /** Values of the current round. */
  readonly round: {
    readonly kills: number
    readonly assisted: boolean
    readonly died: boolean
    readonly traded: boolean
    /** True if the round is counted in `tally.kastRounds`. Set when the round ends. */
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
  /** Score after the round. */
  readonly ctScore: number
  readonly tScore: number
  /** Equipment value of each side when the round went live; null if unknown. */
  readonly ctEquipment: number | null
  readonly tEquipment: number | null
  /** Money of each side when the round went live. Missing in checkpoints of older versions. */
  readonly ctMoney?: number | null
  readonly tMoney?: number | null
  readonly endedAt: number
}

export interface Clutch {
  readonly playerId: PlayerId
  readonly team: TeamIndex
  readonly opponents: number
}

/** A kill in the current round, kept to detect trades. */
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
  /**
   * Time when the running clock (freeze time, round or bomb) reaches zero; null if it is unknown or the clock is
   * stopped.
   */
  readonly clockEndsAt: number | null
  /** Seconds left on a stopped clock. */
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

/** Statistics of a player on a map: stored for completed maps, computed on request for the current one. */
export interface PlayerLine extends PlayerTally {
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
  readonly lines: ReadonlyArray<PlayerLine>
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
  /** Number of accepted changes in this epoch: 1, 2, 3, ... without gaps. */
  readonly seq: number
  readonly status: MatchStatus
  readonly source: "live" | "live_backup"
  /**
   * The series as the backup feed reports it. Set from the switch to the backup feed until the main feed has caught up
   * with it; otherwise null.
   */
  readonly backup: BackupSeries | null
  readonly bestOf: number
  readonly rules: MatchRules
  readonly eventName: string | null
  readonly teams: readonly [Team, Team]
  /**
   * Names in a feed that match neither team, each with the team it was assigned to. If empty, the result is certain.
   */
  readonly unresolvedNames: ReadonlyArray<{ readonly name: string; readonly team: TeamIndex }>
  readonly seriesScore: readonly [number, number]
  readonly winner: TeamIndex | "draw" | null
  readonly endReason: "completed" | "forfeit" | "cancelled" | null
  readonly maps: ReadonlyArray<GameMap>
  readonly players: ReadonlyArray<Player>
  readonly round: Round | null
  readonly timeout: { readonly team: TeamIndex | null; readonly kind: "tactical" | "technical"; readonly since: number } | null
  readonly lastEvent: LastEvent | null
  /**
   * Ids of facts that would be accepted again if they were repeated: those of the match as a whole and those of the
   * current round. Ids of earlier rounds are not needed, because facts of a completed round are rejected.
   */
  readonly seen: { readonly match: ReadonlyArray<string>; readonly round: ReadonlyArray<string> }
  /** Set while all feeds are silent. `since` is the time when the watchdog detected it. */
  readonly silence: { readonly status: "stale" | "interrupted"; readonly lastReportAt: number; readonly since: number } | null
  readonly startedAt: number | null
  readonly endedAt: number | null
  /** Times of the newest accepted fact of a feed, or of a switch between feeds. */
  readonly observedAt: number
  readonly receivedAt: number
}

/** Returns the current map, or the last one played. */
export const currentMap = (state: MatchState): GameMap | undefined => state.maps[state.maps.length - 1]

export const teamIndexOf = (state: MatchState, id: TeamId): TeamIndex | undefined =>
  state.teams[0].id === id ? 0 : state.teams[1].id === id ? 1 : undefined

export const sideOfTeam = (round: Round, team: TeamIndex): Side => (round.ctTeam === team ? "CT" : "T")

export const playerOf = (state: MatchState, id: PlayerId): Player | undefined => state.players.find((player) => player.id === id)

/** Returns the seconds on the round clock at a time, never negative, or null if they are unknown. */
export const clockSecondsAt = (round: Round, at: number): number | null => {
  if (round.clockStoppedAt !== null) return round.clockStoppedAt
  return round.clockEndsAt === null ? null : Math.max(0, Math.ceil((round.clockEndsAt - at) / 1000))
}
