import { Schema } from "effect"
import { TennisMatch, TennisPlayerRef } from "./matchModels.ts"
import { ReturnStatistics, ServeStatistics, StatisticsReason } from "./statisticsModels.ts"

const nullable = Schema.NullOr

export const PlayerBox = Schema.Struct({ player: TennisPlayerRef, serve: ServeStatistics, return: ReturnStatistics }).annotate({
  identifier: "TennisPlayerBox",
})

const statistics = {
  statistics: nullable(Schema.Struct({ winner: PlayerBox, loser: PlayerBox })),
  statistics_reason: nullable(StatisticsReason),
} as const

export const TennisMatchStats = Schema.Struct({ match_id: Schema.String, ...statistics }).annotate({ identifier: "TennisMatchStats" })
export type TennisMatchStats = typeof TennisMatchStats.Type

export const TennisMatchDetail = Schema.Struct({
  ...TennisMatch.fields,
  draw_size: nullable(Schema.Natural),
  set_lines: Schema.Array(
    Schema.Struct({
      set: Schema.Natural,
      winner_games: Schema.Natural,
      loser_games: Schema.Natural,
      tiebreak_points: nullable(Schema.Natural),
      won_by: nullable(Schema.Literals(["winner", "loser"])).annotate({
        description: "Side that won the set; null if it was not finished",
      }),
    }),
  ).annotate({ description: "Empty if the score cannot be read, see `score.problem`" }),
  ...statistics,
}).annotate({ identifier: "TennisMatchDetail" })
export type TennisMatchDetail = typeof TennisMatchDetail.Type
