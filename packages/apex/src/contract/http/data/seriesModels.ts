import { Timestamp } from "@matchpoint/contracts/timestamp"
import { Schema } from "effect"
import { Region, SeriesSource, SeriesStatus } from "../../../rules/archive/series.ts"

const nullable = Schema.NullOr
const Text = Schema.String
const Count = Schema.Natural
const Day = Text.annotate({ format: "date" })

/**
 * Why a value is null or a list is empty. `not_recorded`: the source does not have it. `not_played`: the game has not been
 * played. `contradictory_source`: values of the source exclude each other. `images_not_licensed`: no image may be shown.
 */
export const GapReason = Schema.Literals(["not_recorded", "not_played", "contradictory_source", "images_not_licensed"])
export type GapReason = typeof GapReason.Type

export const Reasons = Schema.Record(Text, GapReason).annotate({
  identifier: "ApexReasons",
  description: "Why a field is null or empty, by the name of the field. `not_recorded`: the source does not have it",
})
export type Reasons = typeof Reasons.Type

export const ApexTournamentRef = Schema.Struct({ id: Text, name: Text }).annotate({ identifier: "ApexTournamentRef" })

const scheduleFields = {
  day: nullable(Day),
  dateIsTournamentStart: Schema.Boolean.annotate({ description: "True if `day` is the first day of the tournament" }),
  startsAt: nullable(Timestamp),
} as const

const Winner = Schema.Struct({ teamName: Text, kills: nullable(Count), points: Count }).annotate({ identifier: "ApexWinner" })

export const ApexSeriesRow = Schema.Struct({
  seriesId: Text,
  eventId: Text.annotate({ description: "Id of the tournament, for `/global-stats/{eventId}/players`" }),
  tournament: ApexTournamentRef,
  name: Text,
  stage: nullable(Text),
  region: nullable(Region),
  status: SeriesStatus,
  source: SeriesSource.annotate({ description: "`simulator`: invented by this server, see the documentation" }),
  schedule: Schema.Struct({ ...scheduleFields, endedAt: nullable(Timestamp) }),
  format: Schema.Struct({
    type: Schema.Literals(["points", "match_point"]),
    threshold: nullable(Count).annotate({ description: "Points from which a team may win a match point series" }),
  }),
  maps: Schema.Array(nullable(Text)).annotate({ description: "Map of each game" }),
  teamCount: Count,
  gameCount: Count,
  gamesPlayed: Count,
  winner: nullable(Winner),
  reasons: Reasons,
}).annotate({ identifier: "ApexSeries" })
export type ApexSeriesRow = typeof ApexSeriesRow.Type

export const ApexMatchRow = Schema.Struct({
  matchId: Text,
  seriesId: Text,
  eventId: Text,
  tournament: ApexTournamentRef,
  seriesName: Text,
  stage: nullable(Text),
  gameNumber: Count,
  map: nullable(Text),
  region: nullable(Region),
  status: SeriesStatus,
  source: SeriesSource,
  schedule: Schema.Struct(scheduleFields),
  duration: nullable(Count).annotate({ description: "Seconds" }),
  teamCount: Count,
  winner: nullable(Winner),
  reasons: Reasons,
}).annotate({ identifier: "ApexMatch" })
export type ApexMatchRow = typeof ApexMatchRow.Type

/** Statistics that the games of a team or player have in common. */
export const statisticsFields = {
  assists: nullable(Count),
  damage: nullable(Count),
  damageTaken: nullable(Count),
  knockdowns: nullable(Count),
  revives: nullable(Count),
  respawns: nullable(Count),
  ringDamage: nullable(Count),
  survivalTime: nullable(Count).annotate({ description: "Seconds" }),
} as const

export const ApexStandingRow = Schema.Struct({
  teamName: Text,
  rank: Count,
  points: Count,
  kills: nullable(Count),
  hms: nullable(Count).annotate({ description: "Highest match score: points of the team's best game" }),
  wins: nullable(Count),
  games: Schema.Array(
    Schema.Struct({
      gameNumber: Count,
      placement: nullable(Count),
      kills: nullable(Count),
      points: Count,
      totalPoints: Count.annotate({ description: "Points after this game" }),
      rankAfter: Count.annotate({ description: "Rank after this game, by the rules of the standings" }),
    }),
  ),
}).annotate({ identifier: "ApexStanding" })
export type ApexStandingRow = typeof ApexStandingRow.Type

export const ApexTeamStats = Schema.Struct({
  teamName: Text,
  gamesPlayed: Count,
  wins: Count,
  averagePlacement: nullable(Schema.Finite),
  kills: nullable(Count),
  ...statisticsFields,
  games: Schema.Array(Schema.Struct({ gameNumber: Count, kills: nullable(Count), ...statisticsFields })),
}).annotate({ identifier: "ApexTeamStats" })
export type ApexTeamStats = typeof ApexTeamStats.Type

export const ApexSeriesPlayer = Schema.Struct({
  playerId: Text,
  playerName: Text,
  teamName: Text,
  kills: nullable(Count),
  ...statisticsFields,
  gamesPlayed: Count,
  legends: Schema.Array(Text),
}).annotate({ identifier: "ApexSeriesPlayer" })
export type ApexSeriesPlayer = typeof ApexSeriesPlayer.Type

export const ApexLegendStats = Schema.Struct({
  legend: Text,
  picks: Count,
  pickRate: Schema.Finite.annotate({ description: "Share of the teams' games with this legend, 0 to 1" }),
  kills: nullable(Count),
  damage: nullable(Count),
  wins: Count,
  bans: Count,
  banRate: nullable(Schema.Finite).annotate({ description: "Share of the games with known bans, 0 to 1" }),
}).annotate({ identifier: "ApexLegendStats" })
export type ApexLegendStats = typeof ApexLegendStats.Type

export const ApexComposition = Schema.Struct({
  legends: Schema.Array(Text),
  picks: Count,
  pickRate: Schema.Finite.annotate({ description: "Share of the teams' games with known picks, 0 to 1" }),
  wins: Count,
  averagePlacement: nullable(Schema.Finite),
  kills: nullable(Count),
}).annotate({ identifier: "ApexComposition" })
export type ApexComposition = typeof ApexComposition.Type

/** The source states something else than the rules give. The response has the stated value. */
export const ScoreException = Schema.Struct({
  code: Schema.Literals(["points_differ", "rank_differs", "game_points_differ", "contradictory_placements", "copy_of"]),
  teamName: nullable(Text),
  gameNumber: nullable(Count),
  stated: nullable(Schema.Union([Count, Text])),
  computed: nullable(Count),
}).annotate({ identifier: "ApexScoreException" })
export type ScoreException = typeof ScoreException.Type

export const ApexScores = Schema.Struct({
  seriesId: Text,
  eventId: Text,
  name: Text,
  status: SeriesStatus,
  source: SeriesSource,
  standings: Schema.Array(ApexStandingRow),
  teamStats: Schema.Array(ApexTeamStats),
  playerStats: Schema.Array(ApexSeriesPlayer),
  legendStats: Schema.Array(ApexLegendStats),
  compositions: Schema.Array(ApexComposition),
  exceptions: Schema.Array(ScoreException).annotate({
    description: "Where the source states something else than the scoring rules give. The response has the stated values",
  }),
  raw: Schema.Unknown.annotate({ description: "The series as its source wrote it" }),
  reasons: Reasons,
}).annotate({ identifier: "ApexScores" })
export type ApexScores = typeof ApexScores.Type

export const ApexBans = Schema.Struct({
  seriesId: Text,
  games: Schema.Array(
    Schema.Struct({
      gameNumber: Count,
      map: nullable(Text),
      status: SeriesStatus,
      bannedLegends: Schema.Array(Text),
      winner: nullable(Winner),
      reasons: Reasons,
    }),
  ),
  reasons: Reasons,
}).annotate({ identifier: "ApexBans" })
export type ApexBans = typeof ApexBans.Type
