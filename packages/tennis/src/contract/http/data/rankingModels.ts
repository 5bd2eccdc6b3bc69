import { wholeNumber } from "@matchpoint/contracts/http/envelope"
import { DayParameter } from "@matchpoint/contracts/http/instants"
import { cursorPaging, cursorQuery, offsetQuery } from "@matchpoint/contracts/http/listing"
import { Schema } from "effect"
import { TennisPlayerRef } from "./matchModels.ts"
import { TourName, TourParameter } from "./references.ts"

const nullable = Schema.NullOr
const { optionalKey } = Schema

const Day = Schema.String.annotate({ format: "date" })

export const MAX_RANKINGS = 500
/** Limits of each of the four lists of movers. */
export const MOVER_LIMITS = { usual: 10, max: 50 } as const
/** Defaults of `top_n` for the top of the ranking and for the standings, and its maximum. */
export const TOP_LIMITS = { top: 10, standings: 50, max: 500 } as const

const place = {
  points: nullable(Schema.Natural).annotate({ description: "Ranking points; null if the source states none, as for early lists" }),
  tournaments: nullable(Schema.Natural).annotate({ description: "Tournaments that count for the points" }),
} as const

const moves = {
  previous_rank: nullable(Schema.Natural).annotate({
    description: "Rank in the previous published list; null if the player was not in it",
  }),
  movement: nullable(Schema.Int).annotate({ description: "Places gained since the previous published list; negative if places were lost" }),
} as const

export const RankedPlayer = Schema.Struct({
  rank: Schema.Natural,
  player: TennisPlayerRef,
  ...place,
  ...moves,
  is_new: Schema.Boolean.annotate({ description: "True if a previous list exists and the player was not in it" }),
}).annotate({ identifier: "TennisRankedPlayer" })
export type RankedPlayer = typeof RankedPlayer.Type

const listed = {
  tour: TourName,
  date: nullable(Day).annotate({ description: "Date of the list; null if the archive has no list of the tour" }),
  previous_date: nullable(Day).annotate({
    description: "Date of the previous published list, which `movement` is relative to; null if the archive does not have it",
  }),
} as const

export const RankingListMeta = Schema.Struct({ ...cursorPaging, ...listed }).annotate({ identifier: "TennisRankingListMeta" })
export const StandingsMeta = Schema.Struct({
  ...listed,
  count: Schema.Natural,
  total: Schema.Natural.annotate({ description: "Players in the list" }),
}).annotate({ identifier: "TennisStandingsMeta" })

export const RankingWeek = Schema.Struct({
  date: Day,
  previous_date: nullable(Day),
  entries: Schema.Natural.annotate({ description: "Players in the list" }),
}).annotate({ identifier: "TennisRankingWeek" })
export type RankingWeek = typeof RankingWeek.Type

export const RankingHistoryRow = Schema.Struct({ date: Day, rank: Schema.Natural, ...place, ...moves }).annotate({
  identifier: "TennisRankingHistoryRow",
})
export type RankingHistoryRow = typeof RankingHistoryRow.Type

export const RankingCareer = Schema.Struct({
  weeks: Schema.Natural.annotate({ description: "Published lists with the player" }),
  weeks_at_number_one: Schema.Natural.annotate({ description: "Published lists with the player in first place" }),
  first_date: Day,
  last_date: Day,
  career_high: Schema.Struct({
    rank: Schema.Natural,
    date: Day.annotate({ description: "Date of the first list with this rank" }),
  }),
}).annotate({ identifier: "TennisRankingCareer" })
export type RankingCareer = typeof RankingCareer.Type

export const RankingHistoryMeta = Schema.Struct({
  ...cursorPaging,
  player: TennisPlayerRef,
  career: nullable(RankingCareer).annotate({ description: "null if no list within the plan's history has the player" }),
}).annotate({ identifier: "TennisRankingHistoryMeta" })

/** The rank changed between two consecutive lists. */
export const Mover = Schema.Struct({
  player: TennisPlayerRef,
  rank: nullable(Schema.Natural).annotate({ description: "null for drop-outs" }),
  previous_rank: nullable(Schema.Natural).annotate({ description: "null for new entries" }),
  movement: nullable(Schema.Int).annotate({
    description: "Places gained, negative if places were lost; null for new entries and drop-outs",
  }),
  points: nullable(Schema.Natural),
}).annotate({ identifier: "TennisRankingMover" })
export type Mover = typeof Mover.Type

export const moverKinds = ["climbers", "fallers", "new_entries", "drop_outs"] as const
export type MoverKind = (typeof moverKinds)[number]

const Movers = Schema.Array(Mover)

export const RankingMovers = Schema.Struct({
  climbers: Movers.annotate({ description: "Most places gained first. Empty with `direction=down`" }),
  fallers: Movers.annotate({ description: "Most places lost first. Empty with `direction=up`" }),
  new_entries: Movers.annotate({ description: "Players who were not in the previous list, best rank first. Empty with `direction=down`" }),
  drop_outs: Movers.annotate({
    description: "Players of the previous list who are not in this one, best rank first. Empty with `direction=up`",
  }),
}).annotate({ identifier: "TennisRankingMovers" })
export type RankingMovers = typeof RankingMovers.Type

export const MoverCounts = Schema.Struct({
  climbers: Schema.Natural,
  fallers: Schema.Natural,
  new_entries: Schema.Natural,
  drop_outs: Schema.Natural,
})
export type MoverCounts = typeof MoverCounts.Type

export const MoversMeta = Schema.Struct({
  ...listed,
  limit: Schema.Natural,
  page: Schema.Natural,
  totalPages: Schema.Natural.annotate({ description: "Pages of the longest of the lists, which `direction` may limit" }),
  hasNext: Schema.Boolean.annotate({ description: "True if one of the lists has a next page" }),
  hasPrev: Schema.Boolean,
  totals: MoverCounts.annotate({ description: "All players of each kind, on all pages and without `direction`" }),
}).annotate({ identifier: "TennisMoversMeta" })

const tour = optionalKey(TourParameter.annotate({ description: "`ATP` or `WTA`. Default `ATP`" }))
const date = optionalKey(
  DayParameter.annotate({ description: "Date of a published list, see `/tennis/rankings/dates`. Default: the newest list" }),
)
const topN = (usual: number) =>
  optionalKey(
    wholeNumber({ minimum: 1 }).annotate({
      description: `Number of players. Default ${usual}. Values above ${TOP_LIMITS.max} are reduced to it`,
    }),
  )

export const circuitQuery = { ...cursorQuery, date } as const
export const rankingQuery = { ...circuitQuery, tour } as const
export const datesQuery = {
  ...cursorQuery,
  tour,
  year: optionalKey(wholeNumber({ minimum: 1, maximum: 9_999 }).annotate({ description: "Only lists of this year" })),
} as const
export const moversQuery = {
  ...offsetQuery,
  tour,
  date,
  direction: optionalKey(
    Schema.Literals(["up", "down"]).annotate({
      description: "`up`: climbers and new entries; `down`: fallers and drop-outs. Default: both",
    }),
  ),
  limit: optionalKey(
    wholeNumber({ minimum: 1 }).annotate({
      description: `Players of each kind. Default ${MOVER_LIMITS.usual}. Values above ${MOVER_LIMITS.max} are reduced to it`,
    }),
  ),
} as const
export const topQuery = { tour, top_n: topN(TOP_LIMITS.top) } as const
export const standingsQuery = { tour, top_n: topN(TOP_LIMITS.standings) } as const

/** Other circuits are rejected with status 404 by the handler. */
export const CircuitReference = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_-]{1,40}$/u)).annotate({
  description: "`atp` or `wta`",
})
