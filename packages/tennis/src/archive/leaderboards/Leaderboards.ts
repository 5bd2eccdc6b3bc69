/** Reads the season leaderboards. The rules define what each board counts. */
import { PgClient } from "@effect/sql-pg"
import { rowsOf } from "@matchpoint/store/reading"
import { OperationTimeout, type StoreError, storeFn } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Schema } from "effect"
import { BoardRow } from "../../contract/http/data/endpoints/LeaderboardsApi.ts"
import type { Surface } from "../../contract/http/data/references.ts"
import { type BoardName, boards } from "../../rules/archive/boards.ts"
import { playerRefText } from "../rankings/rankingSql.ts"
import type { RankedTour } from "../rankings/TennisRankings.ts"
import { boardColumns, factsText, playerMatchesText, seasonText, sumsText } from "./playerSums.ts"

export interface BoardFilter {
  readonly board: BoardName
  readonly tour: RankedTour
  readonly season: number
  readonly surface?: Surface | undefined
  /** Only matches from this day on, `YYYY-MM-DD`. Their sums are computed, so the range must be short. */
  readonly from?: string | undefined
  readonly limit: number
  readonly offset: number
}

const BoardPage = Schema.Struct({ rows: Schema.Array(BoardRow), total: Schema.Natural })
export type BoardPage = typeof BoardPage.Type

export class Leaderboards extends Context.Service<
  Leaderboards,
  {
    readonly board: (filter: BoardFilter) => Effect.Effect<BoardPage, StoreError>
    /** Newest season with a match of the main tour. Undefined if the archive has none. */
    readonly newestSeason: (tour: RankedTour) => Effect.Effect<number | undefined, StoreError>
  }
>()("@matchpoint/tennis/archive/leaderboards/Leaderboards") {
  static readonly layer = Layer.effect(
    Leaderboards,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout

      const stored = ({ season, surface, tour }: BoardFilter) =>
        sql`SELECT * FROM tennis_season_boards WHERE tour = ${tour} AND season = ${season} AND surface = ${surface ?? ALL_SURFACES}`

      const computed = ({ season, surface, tour }: BoardFilter, from: string) => sql`
        SELECT p.player_id, ${sql.literal(sumsText)} FROM (
          WITH facts AS (${sql.literal(factsText)} AND m.tour = ${tour} AND m.match_date >= ${from}::date
            AND (${sql.literal(seasonText("m"))}) = ${season} ${surface === undefined ? sql`` : sql`AND m.surface = ${surface}`})
          SELECT * FROM ${sql.literal(playerMatchesText)} matches
        ) p GROUP BY p.player_id`

      return Leaderboards.of({
        board: storeFn("Leaderboards.board", timeout, function* (filter) {
          const { minimumSample, unit } = boards[filter.board]
          const [numerator, denominator] = boardColumns[filter.board]
          const value = unit === "share" ? `${numerator}::double precision / ${denominator}` : numerator
          const [page = { rows: [], total: 0 }] = yield* rowsOf(BoardPage)(sql`
            WITH sums AS (${filter.from === undefined ? stored(filter) : computed(filter, filter.from)}),
            listed AS (
              SELECT player_id, matches, ${sql.literal(numerator)} AS numerator, ${sql.literal(denominator)} AS denominator,
                ${sql.literal(value)} AS value, rank() OVER (ORDER BY ${sql.literal(value)} DESC) AS rank
              FROM sums WHERE ${sql.literal(denominator)} >= ${minimumSample} ${sql.literal(unit === "count" ? `AND ${numerator} > 0` : "")}
            )
            SELECT jsonb_build_object('total', (SELECT count(*) FROM listed), 'rows', COALESCE(
              jsonb_agg(jsonb_build_object('rank', l.rank, 'player', ${sql.literal(playerRefText("l.player_id", "p"))}, 'value', round(l.value::numeric, 4),
                'numerator', l.numerator, 'denominator', l.denominator, 'matches', l.matches)
                ORDER BY l.value DESC, l.denominator DESC, l.player_id), '[]')) AS row
            FROM (SELECT * FROM listed ORDER BY value DESC, denominator DESC, player_id LIMIT ${filter.limit} OFFSET ${filter.offset}) l
            LEFT JOIN tennis_players p ON p.player_id = l.player_id`)
          return page
        }),
        newestSeason: storeFn("Leaderboards.newestSeason", timeout, function* (tour) {
          const [newest] = yield* rowsOf(Schema.Natural)(sql`
            SELECT to_jsonb(season) AS row FROM tennis_season_boards WHERE tour = ${tour} ORDER BY season DESC LIMIT 1`)
          return newest
        }),
      })
    }),
  )
}

/** Surface of the rows that count all matches of a season. */
const ALL_SURFACES = ""
