import { Schema } from "effect"
import { boardStats, trendStats } from "../../../rules/analytics/stats.ts"
import { trends } from "../../../rules/analytics/trend.ts"
import { CodPagination } from "../data/references.ts"
import { measured, scoped, winPct } from "./analyticsModels.ts"

export const periods = ["match", "tournament", "season"] as const

const player = {
  player: Schema.String.annotate({ description: "Handle" }),
  playerId: Schema.String,
} as const
const team = Schema.NullOr(Schema.String).annotate({ description: "Name of the newest team; null if no source states it" })
const CodAnalyticsPlayer = Schema.Struct({ playerId: Schema.String, ign: Schema.String, team }).annotate({
  identifier: "CodAnalyticsPlayer",
})

export const CodTrends = Schema.Struct({
  ...scoped,
  ...player,
  stat: Schema.Literals(trendStats),
  period: Schema.Literals(periods),
  unit: Schema.String,
  formula: Schema.String,
  data: Schema.Array(
    Schema.Struct({
      label: Schema.String.annotate({ description: "Opponent of the match, name of the tournament, or season" }),
      value: Schema.Finite,
      date: Schema.NullOr(Schema.String).annotate({
        description: "Start of the match, or of the last match of the period, ISO 8601 in UTC; null if the source states only sums",
      }),
    }).annotate({ identifier: "CodTrendPoint" }),
  ).annotate({ description: "Oldest first. Periods without the statistic are left out" }),
  average: measured("The statistic over all points together, not the mean of the values"),
  trend: Schema.NullOr(Schema.Literals(trends)).annotate({
    description: "Mann-Kendall test of the values at the level of 10 %; null with fewer than four points",
  }),
}).annotate({ identifier: "CodTrends" })
export type CodTrends = typeof CodTrends.Type

const Clutches = Schema.Struct({ attempts: Schema.Natural, wins: Schema.Natural, winPct }).annotate({ identifier: "CodClutches" })
const rank = Schema.NullOr(Schema.Natural).annotate({ description: "Rank on the leaderboard; null if the value is null" })

export const CodClutchFactor = Schema.Struct({
  ...scoped,
  ...player,
  clutchFactor: Schema.Struct({
    overall: measured("Clutches won, divided by those that an average player would have won in the same situations. 1 is the average"),
    rank,
    breakdown: Schema.Struct({ "1v1": Clutches, "1v2": Clutches, "1v3": Clutches }),
    firstBloods: Schema.Struct({
      total: Schema.NullOr(Schema.Natural),
      perRound: measured("First bloods per round of search and destroy"),
      rank,
    }),
    tradedDeaths: Schema.Struct({ rate: measured("Share of deaths that a teammate traded within 5 seconds"), rank }),
  }),
}).annotate({ identifier: "CodClutchFactor" })
export type CodClutchFactor = typeof CodClutchFactor.Type

const both = (description: string) => Schema.Struct({ player1: measured(description), player2: measured(description) })

export const CodPlayerHeadToHead = Schema.Struct({
  ...scoped,
  player1: CodAnalyticsPlayer,
  player2: CodAnalyticsPlayer,
  matchesPlayed: Schema.Natural.annotate({ description: "Matches in which both played, on opposite sides" }),
  headToHead: Schema.Struct({ player1Wins: Schema.Natural, player2Wins: Schema.Natural }),
  stats: Schema.Struct({
    kd: both("Kills per death in these matches"),
    damagePer10: both("Damage per 10 minutes in these matches"),
    killsPer10: both("Kills per 10 minutes in these matches"),
  }),
}).annotate({ identifier: "CodPlayerHeadToHead" })
export type CodPlayerHeadToHead = typeof CodPlayerHeadToHead.Type

export const CodComparison = Schema.Struct({
  ...scoped,
  count: Schema.Natural,
  players: Schema.Array(
    Schema.Struct({
      ...CodAnalyticsPlayer.fields,
      mapsPlayed: Schema.Natural,
      stats: Schema.Struct({
        kd: measured("Kills per death"),
        damage: measured("Damage per map"),
        kills: measured("Kills per map"),
      }),
    }).annotate({ identifier: "CodComparedPlayer" }),
  ),
}).annotate({ identifier: "CodComparison" })
export type CodComparison = typeof CodComparison.Type

export const CodAnalyticsBoard = Schema.Struct({
  success: scoped.success,
  season: scoped.season,
  stat: Schema.Literals(boardStats),
  unit: Schema.String,
  formula: Schema.String,
  minimumSample: Schema.Struct({ value: Schema.Finite, of: Schema.String }).annotate({
    description: "Smallest sample with which a player is listed, and what it counts",
  }),
  reason: Schema.NullOr(Schema.Literal("no_player_with_minimum_sample")).annotate({ description: "Why the leaderboard is empty" }),
  count: Schema.Natural,
  total: Schema.Natural,
  data: Schema.Array(
    Schema.Struct({
      rank: Schema.Natural.annotate({ description: "Players with equal values have the same rank" }),
      player: Schema.String.annotate({ description: "Handle" }),
      playerId: Schema.String,
      team,
      value: Schema.Finite,
      sample: Schema.Finite,
    }).annotate({ identifier: "CodAnalyticsBoardRow" }),
  ),
  pagination: CodPagination,
}).annotate({ identifier: "CodAnalyticsBoard" })
