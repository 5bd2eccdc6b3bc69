/** Status, timeline and tournament link of matches, live or archived. */
import { Timestamp } from "@matchpoint/contracts/timestamp"
import { Schema } from "effect"
import { SideNumber, TennisPlayer } from "../LiveTennisMatch.ts"
import { MatchEnding } from "./data/matchModels.ts"

const nullable = Schema.NullOr
const Count = Schema.Natural
const described = <S extends Schema.Top>(schema: S, description: string) => schema.annotate({ description })

const Status = Schema.Literals(["upcoming", "live", "cancelled", ...MatchEnding.literals])

export const TennisMatchStatus = Schema.Struct({
  match_id: Schema.String,
  status: described(Status, "`upcoming`, `live`, `cancelled`, or how the match ended"),
  source_status: described(
    Schema.String,
    "State that the source reports. Live: `scheduled`, `reporting`, `suspended` or `ended`, and `stale` or `interrupted` while it is silent. In the archive: the remark behind the score, such as `RET`, else `score` if it gave a score without a remark, else `no_score`",
  ),
  is_final: described(Schema.Boolean, "true if the result no longer changes"),
}).annotate({ identifier: "TennisMatchStatus" })
export type TennisMatchStatus = typeof TennisMatchStatus.Type

export const TennisTimelineEvent = Schema.Struct({
  type: Schema.Literals(["match_started", "set_ended", "match_suspended", "match_ended"]),
  at: described(nullable(Timestamp), "null if the time is unknown, as in the archive"),
  set: described(nullable(Count), "Number of the set, counted from 1; null if the event concerns no set"),
  games: described(nullable(Schema.Struct({ side1: Count, side2: Count })), "Games of the set. A match tie-break has its points here"),
  tiebreak_points: described(nullable(Count), "Points of the side that lost the tie-break; null if there was none, or if unknown"),
  winner: described(nullable(SideNumber), "Winner of the set or of the match"),
})

export const TennisTimeline = Schema.Struct({
  match_id: Schema.String,
  sides: described(
    Schema.Struct({ side1: Schema.Array(TennisPlayer), side2: Schema.Array(TennisPlayer) }),
    "In the archive, side 1 is the winner",
  ),
  coverage: Schema.Struct({
    point_history: described(
      Schema.Literals(["available", "set_level_only", "unavailable"]),
      "`available`: every point is in the replay of the match. `unavailable`: the sets are unknown too",
    ),
    reason: described(
      nullable(Schema.Literals(["archive_has_sets_only", "points_missing", "not_started", "no_play", "score_unreadable"])),
      "Why points are not available; null if they are",
    ),
  }),
  events: Schema.Array(TennisTimelineEvent),
}).annotate({ identifier: "TennisTimeline" })
export type TennisTimeline = typeof TennisTimeline.Type

export const TournamentLink = Schema.Struct({
  match_id: Schema.String,
  tournament_id: described(nullable(Schema.String), "Tournament in its year: `atp_2023-580`; null if the match is not linked"),
  competition_id: described(nullable(Schema.String), "Competition that is held every year: `atp_580`"),
  tournament_name: nullable(Schema.String),
  reason: described(
    nullable(Schema.Literals(["live_match_not_reconciled", "tournament_not_in_archive"])),
    "`live_match_not_reconciled`: the feed of the live match has not named a tournament, or one that the archive does not have. `tournament_not_in_archive`: the archive has no tournament of this archived match, such as one with doubles only. null if the match is linked",
  ),
}).annotate({ identifier: "TennisTournamentLink" })
export type TournamentLink = typeof TournamentLink.Type
