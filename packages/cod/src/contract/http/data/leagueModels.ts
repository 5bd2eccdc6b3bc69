import { Schema } from "effect"
import { tieBreaks } from "../../../rules/archive/standings.ts"
import { CodPagination, CodTeamRef, listOf } from "./references.ts"

const share = Schema.NullOr(Schema.Finite).annotate({ description: "Share of wins from 0 to 1; null without a match" })

const CodRecord = Schema.Struct({ wins: Schema.Natural, losses: Schema.Natural, winPct: share }).annotate({ identifier: "CodRecord" })

export const CodStanding = Schema.Struct({
  rank: Schema.NullOr(Schema.Natural).annotate({
    description: "Teams that no criterion separates have the same rank; null if `rankReason` is set",
  }),
  orgSlug: Schema.String,
  teamName: Schema.String,
  teamLogo: Schema.NullOr(Schema.String).annotate({ description: "URL; null if no source has it, see `teamLogoReason`" }),
  cdlPoints: Schema.NullOr(Schema.Int).annotate({ description: "League points; null if `cdlPointsReason` is set" }),
  matchRecord: CodRecord,
  mapRecord: CodRecord,
}).annotate({ identifier: "CodStanding" })
export type CodStanding = typeof CodStanding.Type

export const CodStandings = Schema.Struct({
  ...listOf(CodStanding),
  season: Schema.NullOr(Schema.Natural).annotate({ description: "null if the archive has no season" }),
  stage: Schema.NullOr(Schema.String).annotate({ description: "null: the whole season" }),
  cdlPointsReason: Schema.NullOr(Schema.Literal("points_table_unknown")).annotate({
    description: "Why `cdlPoints` is null: no source states the points of this season or stage",
  }),
  rankReason: Schema.NullOr(Schema.Literal("no_matches")).annotate({
    description: "Why all ranks are null: no league match of the season or stage has been played",
  }),
  teamLogoReason: Schema.NullOr(Schema.Literal("not_stated")).annotate({
    description: "Why the `teamLogo` of at least one row is null: no source has the logo",
  }),
  unknownScores: Schema.Natural.annotate({
    description:
      "Finished league matches whose score is unknown, because the source lacks maps. Their maps do not count in `mapRecord`, and those without a known winner do not count in `matchRecord`",
  }),
  tieBreaks: Schema.Array(Schema.String).annotate({ description: `The order of the criteria: ${tieBreaks.join("; ")}` }),
}).annotate({ identifier: "CodStandings" })
export type CodStandings = typeof CodStandings.Type

export const CodScheduleItem = Schema.Struct({
  matchId: Schema.String,
  date: Schema.String.annotate({ description: "Start, ISO 8601 in UTC" }),
  startTimeKnown: Schema.Boolean.annotate({ description: "false: only the day is known, and the time is midnight" }),
  status: Schema.Literals(["scheduled", "live", "completed", "cancelled"]),
  team1: CodTeamRef,
  team2: CodTeamRef,
  tournament: Schema.String,
  round: Schema.NullOr(Schema.String),
  broadcasted: Schema.NullOr(Schema.Boolean).annotate({
    description: "Whether the league's own broadcast shows it; null if no source states it, see `broadcastedReason`",
  }),
}).annotate({ identifier: "CodScheduleItem" })

export const CodSchedule = Schema.Struct({
  ...listOf(CodScheduleItem),
  total: Schema.Natural,
  season: Schema.NullOr(Schema.Natural).annotate({ description: "Season of the schedule; null if `upcoming` is true" }),
  broadcastedReason: Schema.NullOr(Schema.Literal("not_stated")).annotate({
    description: "Why `broadcasted` of at least one row is null: no source states it",
  }),
  pagination: CodPagination,
}).annotate({ identifier: "CodSchedule" })
