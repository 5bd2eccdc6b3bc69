/** Coverage and freshness of the tennis archive. */
import { Timestamp } from "@matchpoint/contracts/timestamp"
import { Schema } from "effect"
import { TourName } from "./references.ts"

const nullable = Schema.NullOr
const Day = Schema.String.annotate({ format: "date" })

const counts = {
  matches: Schema.Natural,
  with_statistics: Schema.Natural.annotate({ description: "Matches with serve statistics" }),
  with_verified_day: Schema.Natural.annotate({ description: "Matches whose day is verified, see `date_source` of a match" }),
  unparsable_scores: Schema.Struct({
    total: Schema.Natural,
    by_problem: Schema.Record(Schema.String, Schema.Natural).annotate({ description: "By problem, such as `missing_games`" }),
  }).annotate({ description: "Matches whose score is only available as text" }),
} as const

export const CircuitCoverage = Schema.Struct({
  circuit: Schema.String.annotate({ description: "`tour`, `qual_chall`, `qual_itf`, `futures`, `amateur` or `doubles`" }),
  first_date: Day,
  last_date: Day,
  ...counts,
  players: Schema.Natural.annotate({ description: "Players with a match in this circuit" }),
}).annotate({ identifier: "TennisCircuitCoverage" })

export const TourCoverage = Schema.Struct({
  tour: TourName,
  first_date: nullable(Day),
  last_date: nullable(Day),
  ...counts,
  players: Schema.Natural.annotate({ description: "Player profiles" }),
  circuits: Schema.Array(CircuitCoverage).annotate({ description: "Most matches first" }),
  rankings: Schema.Struct({
    weeks: Schema.Natural.annotate({ description: "Published lists" }),
    entries: Schema.Natural.annotate({ description: "Players in all lists together" }),
    first_date: nullable(Day),
    last_date: nullable(Day),
  }),
}).annotate({ identifier: "TennisTourCoverage" })
export type TourCoverage = typeof TourCoverage.Type

export const Coverage = Schema.Struct({
  tours: Schema.Array(TourCoverage),
  totals: Schema.Struct({ ...counts, players: Schema.Natural, ranking_weeks: Schema.Natural, ranking_entries: Schema.Natural }),
}).annotate({ identifier: "TennisCoverage" })
export type Coverage = typeof Coverage.Type

/** States of the summaries, from which players, head-to-head, draws, boards and totals are read. */
export const summaryStates = ["complete", "outdated", "missing"] as const

export const Health = Schema.Struct({
  status: Schema.Literals(["ok", "empty", "summaries_outdated", "summaries_missing"]).annotate({
    description:
      "`empty`: the archive has no match. `summaries_outdated`, `summaries_missing`: an import did not reach its end, see `summaries`",
  }),
  summaries: Schema.Struct({
    state: Schema.Literals(summaryStates).annotate({
      description:
        "`outdated`: rows were imported since the summaries were computed, or a newer version computes them differently. `missing`: they were never computed; endpoints that need them answer 503",
    }),
    steps_done: Schema.Natural.annotate({ description: "Finished steps of the computation in progress; 0 if there is none" }),
    steps: Schema.Natural,
    message: nullable(Schema.String).annotate({ description: "Remedy for the operator; null if the summaries are complete" }),
  }),
  database: Schema.Literal("ok").annotate({ description: "If the database does not respond, the status is 503" }),
  newest_match_date: nullable(Day),
  newest_ranking_date: nullable(Day),
}).annotate({ identifier: "TennisHealth" })
export type Health = typeof Health.Type

/** Data are `stale` if their newest date is more than this many days ago. */
export const STALE_AFTER_DAYS = 14

const newest = {
  newest_date: nullable(Day),
  age_days: nullable(Schema.Natural).annotate({ description: "Full days from `newest_date` to today, UTC; null if there are no data" }),
  stale: Schema.Boolean.annotate({ description: `True if there are no data, or if \`age_days\` is above ${STALE_AFTER_DAYS}` }),
} as const
const Newest = Schema.Struct(newest).annotate({ identifier: "TennisNewestData" })

export const SyncHealth = Schema.Struct({
  checked_at: Timestamp,
  stale: Schema.Boolean.annotate({ description: "True if the matches or the rankings of a tour are stale" }),
  stale_after_days: Schema.Natural,
  tours: Schema.Array(Schema.Struct({ tour: TourName, matches: Newest, rankings: Newest })),
  last_live_result: nullable(Day).annotate({ description: "Day of the newest result from a live match; null if there is none" }),
  sources: Schema.Array(
    Schema.Struct({
      source: Schema.String.annotate({ description: "`players`, `matches` or `rankings`" }),
      files: Schema.Natural,
      unfinished_files: Schema.Natural,
      rows_read: Schema.Natural.annotate({ description: "Rows that the last import of each file has read" }),
      rows_written: Schema.Natural.annotate({
        description: "Rows that all imports of these files have added or changed. Repeats within a file are not written",
      }),
      rows_rejected: Schema.Natural,
      last_finished_at: nullable(Timestamp),
    }),
  ).annotate({ description: "Imports, by kind of file. Empty if nothing was imported" }),
}).annotate({ identifier: "TennisSyncHealth" })
export type SyncHealth = typeof SyncHealth.Type
