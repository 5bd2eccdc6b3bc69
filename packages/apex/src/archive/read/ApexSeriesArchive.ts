/** Reads series and games. Lists leave out copies of other series. */
import { PgClient } from "@effect/sql-pg"
import type { Order, SortKey } from "@matchpoint/store/paging/cursor"
import { type ForeignCursor, type Listed, type PageWindow, readList } from "@matchpoint/store/paging/listReader"
import { rowsOf } from "@matchpoint/store/reading"
import { OperationTimeout, type StoreError, storeOperation } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Schema } from "effect"
import { ApexBans, ApexMatchRow, ApexScores, ApexSeriesRow } from "../../contract/http/data/seriesModels.ts"
import type { Region, SeriesStatus } from "../../rules/archive/series.ts"

export interface SeriesFilter {
  readonly status?: SeriesStatus | undefined
  readonly region?: Region | undefined
  readonly tournamentId?: string | undefined
  /** Only series that start at this time or later. */
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly order: "newest" | "earliest"
}

export interface MatchFilter extends SeriesFilter {
  /** Name in any case. */
  readonly map?: string | undefined
}

const found = { sortAt: Schema.Finite, copyOf: Schema.NullOr(Schema.String) } as const
const FoundScores = Schema.Struct({ ...found, scores: ApexScores })
export type FoundScores = typeof FoundScores.Type
const FoundBans = Schema.Struct({ ...found, bans: ApexBans })
export type FoundBans = typeof FoundBans.Type

export class ApexSeriesArchive extends Context.Service<
  ApexSeriesArchive,
  {
    readonly list: (filter: SeriesFilter, window: PageWindow) => Effect.Effect<Listed<ApexSeriesRow>, StoreError | ForeignCursor>
    readonly matches: (filter: MatchFilter, window: PageWindow) => Effect.Effect<Listed<ApexMatchRow>, StoreError | ForeignCursor>
    /** `sortAt` is the start of the series for the history of plans, epoch ms. */
    readonly scores: (seriesId: string) => Effect.Effect<FoundScores | undefined, StoreError>
    readonly bans: (seriesId: string) => Effect.Effect<FoundBans | undefined, StoreError>
  }
>()("@matchpoint/apex/archive/read/ApexSeriesArchive") {
  static readonly layer = Layer.effect(
    ApexSeriesArchive,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout

      const fitting = ({ from, region, status, to, tournamentId }: SeriesFilter) =>
        sql.and([
          sql`e.copy_of IS NULL`,
          ...(status === undefined ? [] : [sql`e.status = ${status}`]),
          ...(region === undefined ? [] : [sql`e.region = ${region}`]),
          ...(tournamentId === undefined ? [] : [sql`e.tournament_id = ${tournamentId}`]),
          ...(from === undefined ? [] : [sql`e.sort_at >= ${from}`]),
          ...(to === undefined ? [] : [sql`e.sort_at <= ${to}`]),
        ])

      const one = <A, I>(name: string, column: string, model: Schema.Codec<A, I>) => {
        const read = rowsOf(model)
        return Effect.fn(`ApexSeriesArchive.${name}`)(
          function* (seriesId: string) {
            const [row] = yield* read(sql`
              SELECT json_build_object('sortAt', extract(epoch FROM sort_at) * 1000, 'copyOf', copy_of, ${sql.literal(`'${column}', ${column}`)}) AS row
              FROM apex_series WHERE series_id = ${seriesId}`)
            return row
          },
          storeOperation(`ApexSeriesArchive.${name}`, timeout),
        )
      }

      return ApexSeriesArchive.of({
        list: (filter, window) =>
          readList(
            sql,
            {
              model: ApexSeriesRow,
              order: orderOf("apex-series", filter.order, []),
              from: sql`apex_series e WHERE ${fitting(filter)}`,
              of: "apex_series e",
              key: ["series_id"],
              row: sql.literal("e.listing"),
            },
            window,
            { name: "ApexSeriesArchive.list", timeout },
          ),
        matches: (filter, window) =>
          readList(
            sql,
            {
              model: ApexMatchRow,
              order: orderOf("apex-matches", filter.order, [{ of: "e.game_number", type: "bigint" }]),
              from: sql`apex_games e WHERE ${fitting(filter)} AND ${
                filter.map === undefined ? sql`true` : sql`lower(e.map) = lower(${filter.map})`
              }`,
              of: "apex_games e",
              key: ["series_id", "game_number"],
              row: sql.literal("e.details"),
            },
            window,
            { name: "ApexSeriesArchive.matches", timeout },
          ),
        scores: one("scores", "scores", FoundScores),
        bans: one("bans", "bans", FoundBans),
      })
    }),
  )
}

/** Sorts by start, then by id. All keys have the same direction, so that an index has the rows in this order. */
const orderOf = (name: string, order: "newest" | "earliest", more: ReadonlyArray<SortKey>): Order => {
  const descending = order === "newest"
  return {
    name: `${name}-${order}`,
    keys: [
      { of: "e.sort_at", type: "timestamptz", descending },
      { of: "e.series_id", type: "text", descending },
      ...more.map((key) => ({ ...key, descending })),
    ],
  }
}
