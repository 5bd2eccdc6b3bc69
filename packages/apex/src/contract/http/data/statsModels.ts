import { Timestamp } from "@matchpoint/contracts/timestamp"
import { Schema } from "effect"
import { Region, SeriesSource, TransactionType } from "../../../rules/archive/series.ts"
import { ApexComposition, ApexLegendStats, Reasons, statisticsFields } from "./seriesModels.ts"

const nullable = Schema.NullOr
const Text = Schema.String
const Count = Schema.Natural
const Day = Text.annotate({ format: "date" })

export const ApexPlayerTotals = Schema.Struct({
  playerId: Text,
  playerName: Text,
  teamName: Text,
  series: Count,
  games: Count,
  kills: nullable(Count),
  ...statisticsFields,
  killsPerGame: nullable(Schema.Finite),
  damagePerGame: nullable(Schema.Finite),
  legends: Schema.Array(Schema.Struct({ legend: Text, games: Count })).annotate({ description: "Most games first" }),
  reasons: Reasons,
}).annotate({ identifier: "ApexPlayerTotals" })
export type ApexPlayerTotals = typeof ApexPlayerTotals.Type

const Leader = Schema.Struct({ rank: Count, playerId: Text, playerName: Text, teamName: Text, value: Count }).annotate({
  identifier: "ApexLeader",
})

const TeamLeader = Schema.Struct({ rank: Count, teamName: Text, value: Count }).annotate({ identifier: "ApexTeamLeader" })

export const ApexEventStanding = Schema.Struct({
  rank: Count,
  teamName: Text,
  points: Count,
  kills: nullable(Count),
  hms: nullable(Count),
  wins: nullable(Count),
  series: Count,
  games: Count,
  averagePlacement: nullable(Schema.Finite),
}).annotate({ identifier: "ApexEventStanding" })
export type ApexEventStanding = typeof ApexEventStanding.Type

export const ApexEventStats = Schema.Struct({
  eventId: Text,
  name: Text,
  region: nullable(Region),
  source: SeriesSource,
  startsOn: nullable(Day),
  endsOn: nullable(Day),
  location: nullable(Text),
  series: Count,
  games: Count,
  teamCount: Count,
  playerCount: Count,
  leaders: Schema.Struct({
    kills: Schema.Array(Leader),
    damage: Schema.Array(Leader),
    assists: Schema.Array(Leader),
    knockdowns: Schema.Array(Leader),
  }),
  teams: Schema.Struct({
    points: Schema.Array(TeamLeader),
    kills: Schema.Array(TeamLeader),
    wins: Schema.Array(TeamLeader),
    hms: Schema.Array(TeamLeader),
  }).annotate({ description: "Best teams in one statistic" }),
  standings: Schema.Array(ApexEventStanding).annotate({ description: "Sums of all series of the event: the first 20 teams" }),
  legends: Schema.Array(ApexLegendStats).annotate({ description: "The 10 legends picked most often" }),
  compositions: Schema.Array(ApexComposition).annotate({ description: "The 10 most frequent team compositions" }),
  reasons: Reasons,
}).annotate({ identifier: "ApexEventStats" })
export type ApexEventStats = typeof ApexEventStats.Type

export const ApexEventLegends = Schema.Struct({
  eventId: Text,
  games: Count,
  legends: Schema.Array(ApexLegendStats),
  compositions: Schema.Array(ApexComposition),
  reasons: Reasons,
}).annotate({ identifier: "ApexEventLegends" })
export type ApexEventLegends = typeof ApexEventLegends.Type

export const ApexPlayerRow = Schema.Struct({
  playerId: Text,
  name: Text,
  frontImage: nullable(Text),
  personalityImage: nullable(Text),
  team: nullable(Schema.Struct({ name: Text, logoLight: nullable(Text) })),
  role: nullable(Text),
  regions: Schema.Array(Region),
  source: SeriesSource,
  stats: Schema.Struct({ kills: nullable(Count), assists: nullable(Count), matchesPlayed: Count }),
  reasons: Reasons,
}).annotate({ identifier: "ApexPlayer" })
export type ApexPlayerRow = typeof ApexPlayerRow.Type

export const ApexTransactionRow = Schema.Struct({
  transactionId: Text,
  type: TransactionType,
  day: Day,
  player: nullable(Schema.Struct({ playerId: nullable(Text), name: nullable(Text) })),
  teamName: nullable(Text),
  before: nullable(Text).annotate({ description: "Team, role or team name before, see `type`" }),
  after: nullable(Text),
  region: nullable(Region),
  source: SeriesSource,
  reasons: Reasons,
}).annotate({ identifier: "ApexTransaction" })
export type ApexTransactionRow = typeof ApexTransactionRow.Type

/** How many series have a kind of data, and why the others do not. */
const Domain = Schema.Struct({ available: Schema.Boolean, series: Count, reason: nullable(Text) })

export const ApexCoverage = Schema.Struct({
  league: Schema.Literal("algs"),
  isSimulated: Schema.Boolean.annotate({ description: "True if the archive has only the simulated season" }),
  totals: Schema.Struct({ tournaments: Count, series: Count, games: Count, teams: Count, players: Count, transactions: Count }),
  firstDay: nullable(Day),
  lastDay: nullable(Day),
  statuses: Schema.Record(Text, Count).annotate({ description: "Series by status" }),
  regions: Schema.Record(Text, Count).annotate({ description: "Series by region" }),
  tournaments: Schema.Array(Schema.Struct({ id: Text, name: Text, series: Count, games: Count, startsOn: nullable(Day) })),
  data: Schema.Struct({
    standings: Domain,
    placements: Domain,
    kills: Domain,
    teamStatistics: Domain,
    playerStatistics: Domain,
    legends: Domain,
    bans: Domain,
    transactions: Schema.Struct({ available: Schema.Boolean, reason: nullable(Text) }),
    images: Schema.Struct({ available: Schema.Boolean, reason: nullable(Text) }),
  }),
  copies: Count.annotate({ description: "Series that repeat part of another series and are left out of all lists" }),
  computedAt: nullable(Timestamp),
}).annotate({ identifier: "ApexCoverage" })
export type ApexCoverage = typeof ApexCoverage.Type
