/** Leaderboards of the league: statistics of a season, and prize money. */
import { PgClient } from "@effect/sql-pg"
import { rowsOf } from "@matchpoint/store/reading"
import { OperationTimeout, type StoreError, storeEffect, storeFn } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Schema } from "effect"
import { CodBoardRow, CodEarningsRow } from "../../contract/http/data/boardModels.ts"
import { type BoardMode, type BoardStat, MINIMUM_MAPS } from "../../rules/archive/boards.ts"
import { playerSums } from "../summaries/players.ts"

export interface CodBoardFilter {
  readonly mode: BoardMode
  readonly stat: BoardStat
  readonly season: number
  /** Counts only matches from this time on. Their sums are computed, so the range must be short. */
  readonly from?: Date | undefined
  readonly limit: number
}

export interface CodEarningsFilter {
  readonly season?: number | undefined
  /** Counts only seasons that end at this time or later. */
  readonly from?: Date | undefined
  readonly limit: number
}

const BoardPage = Schema.Struct({ rows: Schema.Array(CodBoardRow), players: Schema.Natural })
/** `players` counts those with a map of the mode, also without the statistic. */
export type BoardPage = typeof BoardPage.Type

export class CodBoards extends Context.Service<
  CodBoards,
  {
    readonly board: (filter: CodBoardFilter) => Effect.Effect<BoardPage, StoreError>
    /** Newest season with a player. Undefined if there is none. */
    readonly newestSeason: Effect.Effect<number | undefined, StoreError>
    readonly earnings: (filter: CodEarningsFilter) => Effect.Effect<ReadonlyArray<CodEarningsRow>, StoreError>
  }
>()("@matchpoint/cod/archive/boards/CodBoards") {
  static readonly layer = Layer.effect(
    CodBoards,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout
      return CodBoards.of({
        board: storeFn("CodBoards.board", timeout, function* ({ from, limit, mode, season, stat }) {
          const sums =
            from === undefined
              ? sql`SELECT * FROM cod_player_seasons WHERE season = ${season} AND mode = ${mode}`
              : sql`SELECT * FROM (${playerSums(sql, [season], from)}) AS computed WHERE mode = ${mode}`
          const value = sql.literal(values[stat])
          const [page = { rows: [], players: 0 }] = yield* rowsOf(BoardPage)(sql`
            WITH sums AS (${sums}),
            listed AS (
              SELECT player_id, maps_played, ${value} AS value, rank() OVER (ORDER BY ${value} DESC) AS rank
              FROM sums WHERE ${value} IS NOT NULL ${sql.literal(stat === "kd" ? `AND maps_played >= ${MINIMUM_MAPS}` : "")}
              ORDER BY value DESC, maps_played DESC, player_id LIMIT ${limit}
            )
            SELECT json_build_object('players', (SELECT count(*) FROM sums), 'rows', COALESCE(
              json_agg(json_build_object('rank', l.rank, 'player', json_build_object('ign', COALESCE(p.ign, l.player_id), 'team', a.name),
                'value', l.value, 'mapsPlayed', l.maps_played) ORDER BY l.value DESC, l.maps_played DESC, l.player_id), '[]')) AS row
            FROM listed l
            LEFT JOIN cod_players p ON p.player_id = l.player_id
            LEFT JOIN cod_player_teams c ON c.player_id = l.player_id AND c.season = ${season}
            LEFT JOIN cod_teams a ON a.slug = c.team_slug`)
          return page
        }),
        newestSeason: rowsOf(Schema.Natural)(sql`SELECT to_json(season) AS row FROM cod_player_seasons ORDER BY season DESC LIMIT 1`).pipe(
          Effect.map(([newest]) => newest),
          storeEffect("CodBoards.newestSeason", timeout),
        ),
        earnings: storeFn("CodBoards.earnings", timeout, ({ from, limit, season }) => {
          const ofSeason = season === undefined ? sql.literal("true") : sql`season = ${season}`
          const inHistory = from === undefined ? sql.literal("true") : sql`make_timestamptz(season, 9, 1, 0, 0, 0, 'UTC') > ${from}`
          return rowsOf(CodEarningsRow)(sql`
            WITH sums AS (
              SELECT player_id, sum(amount) AS total, count(*) FILTER (WHERE placement = 1) AS won,
                rank() OVER (ORDER BY sum(amount) DESC) AS rank
              FROM cod_earnings JOIN cod_tournaments USING (tournament_id)
              WHERE ${ofSeason} AND ${inHistory} GROUP BY player_id ORDER BY total DESC, player_id LIMIT ${limit}
            )
            SELECT json_build_object('rank', s.rank, 'player', json_build_object('codPlayerId', s.player_id,
                'ign', COALESCE(p.ign, s.player_id), 'team', a.name, 'imageUrl', p.image_url),
              'totalEarnings', s.total, 'tournamentsWon', s.won) AS row
            FROM sums s
            LEFT JOIN cod_players p ON p.player_id = s.player_id
            LEFT JOIN cod_player_teams c ON c.player_id = s.player_id AND c.season = ${season ?? 0}
            LEFT JOIN cod_teams a ON a.slug = c.team_slug
            ORDER BY s.total DESC, s.player_id`)
        }),
      })
    }),
  )
}

/** Null if no source counts the statistic. */
const values: Readonly<Record<BoardStat, string>> = {
  kills: "kills",
  kd: "round(kills::numeric / greatest(deaths, 1), 3)",
  damage: "damage",
  hillTime: "hill_time",
  firstBloods: "first_bloods",
}
