/** Standings and schedule of the Call of Duty League. */
import { tieBreaks } from "@matchpoint/domain/cod/archive/standings"
import { Schema } from "effect"
import { CodPagination, CodTeamRef, listOf } from "./references.ts"

const share = Schema.NullOr(Schema.Finite).annotate({ description: "Share of wins from 0 to 1; null without a match" })

const CodRecord = Schema.Struct({ wins: Schema.Natural, losses: Schema.Natural, winPct: share }).annotate({ identifier: "CodRecord" })

export const CodStanding = Schema.Struct({
  rank: Schema.Natural.annotate({ description: "Teams that no criterion separates have the same rank" }),
  orgSlug: Schema.String,
  teamName: Schema.String,
  teamLogo: Schema.NullOr(Schema.String),
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
  broadcasted: Schema.NullOr(Schema.Boolean).annotate({ description: "null: the source does not state it" }),
}).annotate({ identifier: "CodScheduleItem" })

export const CodSchedule = Schema.Struct({
  ...listOf(CodScheduleItem),
  total: Schema.Natural,
  season: Schema.NullOr(Schema.Natural).annotate({ description: "Season of the schedule; null if `upcoming` is true" }),
  pagination: CodPagination,
}).annotate({ identifier: "CodSchedule" })
