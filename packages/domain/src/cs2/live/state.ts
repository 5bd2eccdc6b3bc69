/**
 * The state of one CS2 match: what the fold of its feed events yields and a checkpoint keeps. Plain JSON without undefined,
 * so that its text is the same after any rebuild. How it is shown to customers is not decided here.
 */

import type { MatchId } from "../../ids.ts"
import type { PlayerId, TeamId } from "../ids.ts"
import type { BackupSeries, WinType } from "./feedEvents.ts"
import type { MatchRules, Side, TeamIndex } from "./rules.ts"

/** Bumped when the shape changes: an older checkpoint is then migrated, or folded anew. */
export const STATE_FORMAT = 3

export type MatchStatus = "scheduled" | "live" | "completed" | "cancelled"

export interface Team {
  readonly id: TeamId
  readonly name: string
  /** Other names that feeds may show. */
  readonly aliases: ReadonlyArray<string>
  readonly logoUrl: string | null
  /** Tactical timeouts left on this map; null: nobody told. */
  readonly timeoutsRemaining: number | null
}

/** One player's count on one map. `damage` is health taken from enemies. */
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
  /** The map in play. */
  readonly tally: PlayerTally
  /** The round in play. */
  readonly round: {
    readonly kills: number
    readonly assisted: boolean
    readonly died: boolean
    readonly traded: boolean
    /** Counted in tally.kastRounds (set when the round ends). */
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
  /** After the round. */
  readonly ctScore: number
  readonly tScore: number
  /** Value of both sides' equipment when the round went live; null: not told. */
  readonly ctEquipment: number | null
  readonly tEquipment: number | null
  /** Money that both sides had left then. Checkpoints of older versions have none. */
  readonly ctMoney?: number | null
  readonly tMoney?: number | null
  readonly endedAt: number
}

export interface Clutch {
  readonly playerId: PlayerId
  readonly team: TeamIndex
  readonly opponents: number
}

/** A kill or death of the round in play, kept to judge trades. */
export interface Duel {
  readonly at: number
  readonly killerId: PlayerId | null
  readonly victimId: PlayerId | null
}

export interface Round {
  readonly number: number
  readonly phase: "freezetime" | "live" | "over"
  readonly ctTeam: TeamIndex
  /** Freeze time began; null if the feed missed it. */
  readonly startedAt: number | null
  readonly liveAt: number | null
  /** The moment the running clock (freeze time, round, bomb) reaches zero; null: unknown or standing still. */
  readonly clockEndsAt: number | null
  /** Seconds left while the clock stands still. */
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

/** A player's line on a finished map, or on the map in play when asked for. */
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
  /** Rounds won per half and team. */
  readonly halves: ReadonlyArray<readonly [number, number]>
  readonly roundsPlayed: number
  readonly winner: TeamIndex | "draw" | null
  readonly endReason: "score" | "surrender" | "forfeit" | null
  readonly rounds: ReadonlyArray<RoundResult>
  /** Filled when the map is over. */
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
  /** Accepted changes in this epoch: 1, 2, 3, ... without holes. */
  readonly seq: number
  readonly status: MatchStatus
  readonly source: "live" | "live_backup"
  /** The series as the backup feed told it, from when it took over until the main feed has told as much; else null. */
  readonly backup: BackupSeries | null
  readonly bestOf: number
  readonly rules: MatchRules
  readonly eventName: string | null
  readonly teams: readonly [Team, Team]
  /** Names that a feed shows and that are of neither team, each with the team it was taken for. Empty: the result is certain. */
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
   * Ids of the facts that could be taken for new ones if they came again: those of the match as a whole and those of the round in
   * play. Facts of earlier rounds need no memory: their round is over and they are refused for that.
   */
  readonly seen: { readonly match: ReadonlyArray<string>; readonly round: ReadonlyArray<string> }
  /** Set while no feed reports anything. `since`: when the watchdog found it so. */
  readonly silence: { readonly status: "stale" | "interrupted"; readonly lastReportAt: number; readonly since: number } | null
  readonly startedAt: number | null
  readonly endedAt: number | null
  /** Times of the newest accepted fact that a feed told, or of a change of the feed. */
  readonly observedAt: number
  readonly receivedAt: number
}

/** The map in play, or the last one played. */
export const currentMap = (state: MatchState): GameMap | undefined => state.maps[state.maps.length - 1]

export const teamIndexOf = (state: MatchState, id: TeamId): TeamIndex | undefined =>
  state.teams[0].id === id ? 0 : state.teams[1].id === id ? 1 : undefined

export const sideOfTeam = (round: Round, team: TeamIndex): Side => (round.ctTeam === team ? "CT" : "T")

export const playerOf = (state: MatchState, id: PlayerId): Player | undefined => state.players.find((player) => player.id === id)

/** Seconds on the round clock at a moment, never negative; null: unknown. */
export const clockSecondsAt = (round: Round, at: number): number | null => {
  if (round.clockStoppedAt !== null) return round.clockStoppedAt
  return round.clockEndsAt === null ? null : Math.max(0, Math.ceil((round.clockEndsAt - at) / 1000))
}
