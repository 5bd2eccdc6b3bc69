/**
 * A series of the archive: the games of one lobby of teams, on one day. The import, the simulated season and the
 * archiver of finished live lobbies all write series of this type. Values that a source does not have are null.
 */
import { StorableText } from "@matchpoint/domain/storableText"
import { Schema } from "effect"
import { MOST_TEAMS } from "./points.ts"

const nullable = Schema.NullOr
const Count = Schema.Natural
const Name = StorableText.check(Schema.isPattern(/^\P{Cc}{1,120}$/u))

/** Id of a series, tournament, player or transaction: a segment of a URL. */
export const ArchiveId = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9._~-]{0,119}$/u))

export const regions = ["global", "americas", "emea", "apac-north", "apac-south"] as const
export const Region = Schema.Literals(regions)
export type Region = typeof Region.Type

export const seriesStatuses = ["scheduled", "live", "completed", "cancelled"] as const
export const SeriesStatus = Schema.Literals(seriesStatuses)
export type SeriesStatus = typeof SeriesStatus.Type

/** An import, a live match of this product, or the simulated season. */
export const SeriesSource = Schema.Literals(["import", "live", "simulator"])
export type SeriesSource = typeof SeriesSource.Type

/** Damage is in health points, survival time in seconds. */
const gameStatistics = {
  assists: nullable(Count),
  damage: nullable(Count),
  damageTaken: nullable(Count),
  knockdowns: nullable(Count),
  revives: nullable(Count),
  respawns: nullable(Count),
  ringDamage: nullable(Count),
  survivalTime: nullable(Count),
} as const

export const GameStatistics = Schema.Struct(gameStatistics)
export type GameStatistics = typeof GameStatistics.Type

export const noStatistics: GameStatistics = {
  assists: null,
  damage: null,
  damageTaken: null,
  knockdowns: null,
  revives: null,
  respawns: null,
  ringDamage: null,
  survivalTime: null,
}

export const ApexPlayerGame = Schema.Struct({
  playerId: ArchiveId,
  playerName: Name,
  legend: nullable(Name),
  kills: nullable(Count),
  statistics: GameStatistics,
})
export type ApexPlayerGame = typeof ApexPlayerGame.Type

export const ApexTeamGame = Schema.Struct({
  teamName: Name,
  /** From 1. */
  placement: nullable(Count),
  kills: nullable(Count),
  points: Count,
  statistics: GameStatistics,
  /** Empty if the source has no player statistics. */
  players: Schema.Array(ApexPlayerGame),
})
export type ApexTeamGame = typeof ApexTeamGame.Type

export const ApexGame = Schema.Struct({
  /** From 1. */
  gameNumber: Count,
  map: nullable(Name),
  status: SeriesStatus,
  /** Epoch milliseconds. */
  startedAt: nullable(Schema.Int),
  /** Seconds. */
  duration: nullable(Count),
  /** Legends that no team may pick in this game. `null` if the source does not state them. */
  bannedLegends: nullable(Schema.Array(Name)),
  /** Why placements and kills are null, or null if they are known. */
  placementGap: nullable(Schema.Literals(["not_recorded", "contradictory_source"])),
  /** Empty if the game has not been played. */
  teams: Schema.Array(ApexTeamGame).check(Schema.isMaxLength(MOST_TEAMS)),
})
export type ApexGame = typeof ApexGame.Type

/** `statedRank` and `statedPoints` are those of the source's own table; null if it has none. */
export const ApexSeriesTeam = Schema.Struct({
  teamName: Name,
  teamId: nullable(ArchiveId),
  statedRank: nullable(Count),
  statedPoints: nullable(Count),
})
export type ApexSeriesTeam = typeof ApexSeriesTeam.Type

export const ApexSeries = Schema.Struct({
  seriesId: ArchiveId,
  tournamentId: ArchiveId,
  tournamentName: Name,
  name: Name,
  /** Stage such as `Day 1 - Group Stages`. */
  stage: nullable(Name),
  region: nullable(Region),
  status: SeriesStatus,
  source: SeriesSource,
  /** Threshold of a match point series; null if total points decide. */
  matchPoint: nullable(Count),
  /** Day `YYYY-MM-DD`, or the first day of the tournament if `dateIsTournamentStart` is true. */
  day: nullable(Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/u))),
  dateIsTournamentStart: Schema.Boolean,
  /** Epoch milliseconds. */
  startsAt: nullable(Schema.Int),
  endedAt: nullable(Schema.Int),
  teams: Schema.Array(ApexSeriesTeam).check(Schema.isMaxLength(MOST_TEAMS)),
  games: Schema.Array(ApexGame),
  /** As the source wrote it, unchanged. */
  raw: Schema.Json,
})
export type ApexSeries = typeof ApexSeries.Type

export const ApexTournament = Schema.Struct({
  tournamentId: ArchiveId,
  name: Name,
  description: nullable(Schema.String),
  region: nullable(Region),
  source: SeriesSource,
  startsOn: nullable(Schema.String),
  endsOn: nullable(Schema.String),
  location: nullable(Name),
})
export type ApexTournament = typeof ApexTournament.Type

/** Players of series without a profile are listed too. */
export const ApexPlayer = Schema.Struct({
  playerId: ArchiveId,
  name: Name,
  teamName: nullable(Name),
  role: nullable(Name),
  regions: Schema.Array(Region),
  source: SeriesSource,
})
export type ApexPlayer = typeof ApexPlayer.Type

export const transactionTypes = ["join", "leave", "transfer", "role_change", "team_rename"] as const
export const TransactionType = Schema.Literals(transactionTypes)

/** A change of a roster, a role or a team's name. `before` and `after` are teams, roles or names, see `type`. */
export const ApexTransaction = Schema.Struct({
  transactionId: ArchiveId,
  type: TransactionType,
  day: Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/u)),
  playerId: nullable(ArchiveId),
  playerName: nullable(Name),
  teamName: nullable(Name),
  before: nullable(Name),
  after: nullable(Name),
  region: nullable(Region),
  source: SeriesSource,
})
export type ApexTransaction = typeof ApexTransaction.Type
