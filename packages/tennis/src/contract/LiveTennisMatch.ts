/**
 * A live tennis match and its events in message format v1. Sides are numbered 1 and 2, as are players within a side.
 * Field names are in snake case, as in the archive of tennis.
 */
import { Timestamp } from "@matchpoint/contracts/timestamp"
import { MatchId } from "@matchpoint/domain/ids"
import { FeedSilence } from "@matchpoint/game/contract/FeedSilence"
import { Schema } from "effect"
import { PointKind } from "../rules/live/feedEvents.ts"
import { MatchFormat } from "../rules/live/format.ts"
import { EditionId, PlayerId, Surface } from "../rules/live/registry.ts"
import { TourName } from "./http/data/references.ts"

const described = <S extends Schema.Top>(schema: S, description: string) => schema.annotate({ description })
const nullable = Schema.NullOr
const Count = Schema.Natural
const { bestOf, doubles, finalSet, noAd } = MatchFormat.fields

export const SideNumber = described(Schema.Literals([1, 2]), "Side of the match: 1 or 2")
export type SideNumber = typeof SideNumber.Type

export const TennisStatus = Schema.Literals(["upcoming", "live", "completed", "cancelled"])
export type TennisStatus = typeof TennisStatus.Type

/** The backup feed is in use while the main feed is silent. */
export const TennisSource = Schema.Literals(["live", "live_backup"])

export const TennisEndReason = described(
  Schema.Literals(["completed", "retired", "walkover", "cancelled"]),
  "`completed` if the last point was played",
)

export const TennisPlayer = Schema.Struct({
  id: described(nullable(PlayerId), "Id in the archive; null if the feed does not know it"),
  name: Schema.String,
})

export const TennisSide = Schema.Struct({
  players: described(Schema.Array(TennisPlayer), "One player, or two in doubles"),
  sets_won: Count,
})

export const TennisTournament = Schema.Struct({
  id: described(nullable(EditionId), "Edition in the archive; null if the match is not linked to one"),
  name: Schema.String,
  surface: nullable(Surface),
  level: nullable(Schema.String),
  draw_size: nullable(Count),
  round: described(nullable(Schema.String), "Round in the notation of the archive, such as `R32`, `QF` or `F`"),
})

export const TennisFormat = Schema.Struct({ best_of: bestOf, final_set: finalSet, no_ad: noAd, doubles })

export const TennisSet = Schema.Struct({
  set: described(Count, "Number of the set, counted from 1"),
  side1: described(Count, "Games of side 1. A match tie-break has no games; its winner has 1"),
  side2: Count,
  tie_break: described(nullable(Schema.Struct({ side1: Count, side2: Count })), "Points of the tie-break once it is over"),
  winner: described(nullable(SideNumber), "null while the set is in progress"),
  ended_at: described(nullable(Timestamp), "null while the set is in progress, or if the time is unknown"),
})
export type TennisSet = typeof TennisSet.Type

export const TennisStake = Schema.Literals(["game_point", "break_point", "set_point", "match_point"])

export const TennisGame = Schema.Struct({
  set: Count,
  game: described(Count, "Number of the game in the set, counted from 1"),
  point: described(Count, "Number of the next point in the game, counted from 1"),
  is_tie_break: Schema.Boolean,
  points: described(
    Schema.Struct({ side1: Schema.String, side2: Schema.String }),
    "`0`, `15`, `30`, `40` or `AD`. In a tie-break, the number of points",
  ),
  server: described(SideNumber, "Side that serves the next point"),
  server_player: described(SideNumber, "Player of this side that serves. Always 1 in singles"),
  stakes: described(
    Schema.Struct({ side1: nullable(TennisStake), side2: nullable(TennisStake) }),
    "The most that each side wins with the next point; null if only the point",
  ),
})

export const TennisSideStatistics = Schema.Struct({
  points_won: Count,
  aces: Count,
  double_faults: Count,
  serve_points: described(Count, "Points served, tie-breaks included"),
  serve_points_won: Count,
  service_games: described(Count, "Games served to their end, without tie-breaks"),
  service_games_won: Count,
  break_points_faced: described(Count, "Break points of the other side"),
  break_points_saved: Count,
})

export const TennisLiveStatistics = Schema.Struct({
  is_complete: described(Schema.Boolean, "false if points are missing, because the score was corrected or history was lost"),
  side1: TennisSideStatistics,
  side2: TennisSideStatistics,
})

export const LiveTennisMatch = Schema.Struct({
  id: MatchId,
  status: TennisStatus,
  source: described(TennisSource, "Feed in use"),
  silence: FeedSilence,
  tour: TourName,
  tournament: TennisTournament,
  format: TennisFormat,
  side1: TennisSide,
  side2: TennisSide,
  sets: described(Schema.Array(TennisSet), "Sets in order. While the match is live, the last one is in progress"),
  game: described(nullable(TennisGame), "Game or tie-break in progress; null before the start and after the end"),
  momentum: described(Schema.Finite, "-1 to 1: positive if side 1 has won more of the recent points, where important points count more"),
  statistics: TennisLiveStatistics,
  suspended_at: described(nullable(Timestamp), "Set while play is suspended"),
  winner: nullable(SideNumber),
  end_reason: nullable(TennisEndReason),
  score: described(nullable(Schema.String), "Score text from the winner's view, such as `6-4 7-6(5)`; null until the match has a winner"),
  started_at: nullable(Timestamp),
  ended_at: nullable(Timestamp),
  updated_at: described(Timestamp, "Time of the last change, by the clock of the feed"),
}).annotate({ identifier: "LiveTennisMatch" })
export type LiveTennisMatch = typeof LiveTennisMatch.Type

const optional = Schema.optionalKey

/** In both message formats. Events other than points have only the first three fields. */
export const LiveTennisEvent = Schema.Struct({
  eventId: Schema.String,
  type: Schema.Literals([
    "match_started",
    "serve_order_chosen",
    "point",
    "retired",
    "walkover",
    "suspended",
    "resumed",
    "cancelled",
    "score_corrected",
  ]),
  at: Timestamp,
  set: optional(Count),
  game: optional(Count),
  point: optional(Count),
  server: optional(SideNumber),
  winner: optional(SideNumber),
  kind: optional(PointKind),
  won: optional(described(Schema.Literals(["point", "game", "set", "match"]), "The most that the winner of the point has won with it")),
}).annotate({ identifier: "LiveTennisEvent" })
export type LiveTennisEvent = typeof LiveTennisEvent.Type
