/** How the places of a ranking list differ from those of the previous list. */
import { PgClient } from "@effect/sql-pg"
import { rowsOf } from "@matchpoint/store/reading"
import { OperationTimeout, type StoreError, storeFn } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Schema } from "effect"
import { MoverCounts, type MoverKind, RankingMovers } from "../../contract/http/data/rankingModels.ts"
import { playerRefText } from "./rankingSql.ts"
import type { RankedTour } from "./TennisRankings.ts"

const Moves = Schema.Struct({ movers: RankingMovers, totals: MoverCounts })
export type Moves = typeof Moves.Type

export class RankingMoves extends Context.Service<
  RankingMoves,
  {
    /** A page per kind, and the number of all. Reads two whole lists, which takes milliseconds: cache the result. */
    readonly between: (
      tour: RankedTour,
      date: string,
      previousDate: string,
      page: { readonly limit: number; readonly offset: number },
    ) => Effect.Effect<Moves, StoreError>
  }
>()("@matchpoint/tennis/archive/rankings/RankingMoves") {
  static readonly layer = Layer.effect(
    RankingMoves,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const timeout = yield* OperationTimeout

      return RankingMoves.of({
        between: storeFn("RankingMoves.between", timeout, function* (tour, date, previousDate, { limit, offset }) {
          const moversOf = (kind: MoverKind, which: string, order: string) => sql`
            ${kind}::text, (${sql.literal(`${listText} FROM (
              SELECT *, row_number() OVER (ORDER BY ${order}) AS place FROM moved WHERE ${which} ORDER BY ${order}`)}
              LIMIT ${limit} OFFSET ${offset}) m LEFT JOIN tennis_players p ON p.player_id = m.player_id)`
          const listOf = (day: string) =>
            sql`(SELECT player_id, rank, points FROM tennis_rankings WHERE tour = ${tour} AND ranking_date = ${day}::date)`
          const [moves = NO_MOVES] = yield* rowsOf(Moves)(sql`
            WITH moved AS (
              SELECT player_id, n.rank, n.points, b.rank AS previous_rank, b.rank - n.rank AS movement
              FROM ${listOf(date)} n FULL JOIN ${listOf(previousDate)} b USING (player_id)
            )
            SELECT jsonb_build_object(
              'movers', jsonb_build_object(${sql.csv(kinds.map(([kind, which, order]) => moversOf(kind, which, order)))}),
              'totals', (SELECT jsonb_build_object(${sql.literal(kinds.map(([kind, which]) => `'${kind}', count(*) FILTER (WHERE ${which})`).join(", "))}) FROM moved)
            ) AS row`)
          return moves
        }),
      })
    }),
  )
}

/** Result if there is no previous list. */
export const NO_MOVES: Moves = {
  movers: { climbers: [], fallers: [], new_entries: [], drop_outs: [] },
  totals: { climbers: 0, fallers: 0, new_entries: 0, drop_outs: 0 },
}

/** Condition and order of each kind. */
const kinds: ReadonlyArray<readonly [kind: MoverKind, which: string, order: string]> = [
  ["climbers", "movement > 0", "movement DESC, rank, player_id"],
  ["fallers", "movement < 0", "movement, rank, player_id"],
  ["new_entries", "previous_rank IS NULL", "rank, player_id"],
  ["drop_outs", "rank IS NULL", "previous_rank, player_id"],
]

const listText = `SELECT COALESCE(jsonb_agg(jsonb_build_object('player', ${playerRefText("m.player_id", "p")}, 'rank', m.rank,
  'points', m.points, 'previous_rank', m.previous_rank, 'movement', m.movement) ORDER BY m.place), '[]')`
