/** Writing the same rows of the league again changes nothing. `CodSummaries` computes the tables of sums. */
import { PgClient } from "@effect/sql-pg"
import { OperationTimeout, type StoreError, storeEffect, storeFn } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Schema } from "effect"
import type { ArchiveRows, MatchRecord } from "../rules/archive/rows.ts"
import { type ArchiveRow, type ArchiveTable, rowsJson, tableSql, tables } from "./archiveTables.ts"

/** A match counts as one row with its maps and lines. */
export interface WrittenRows {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
}

export class CodArchiveWriter extends Context.Service<
  CodArchiveWriter,
  {
    /**
     * Inserts the rows and updates rows with the same keys, in one transaction. The maps and lines of a match replace
     * those that are stored. Names of known teams and players stay, and a null does not delete what is known of a team,
     * a player or a tournament. Each key may occur once.
     */
    readonly write: (rows: ArchiveRows) => Effect.Effect<WrittenRows, StoreError>
    /** Updates the statistics of the query planner. */
    readonly analyze: Effect.Effect<void, StoreError>
  }
>()("@matchpoint/cod/archive/CodArchiveWriter") {
  static readonly layer = Layer.effect(
    CodArchiveWriter,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const statements = new Map(
        (Object.keys(tables) as ReadonlyArray<ArchiveTable>).map((table) => {
          const { columns, key, merged, stored } = tableSql(table)
          const id = table === "cod_maps" || table === "cod_player_lines" || table === "cod_matches" ? "known.match_id" : "NULL"
          return [
            table,
            {
              from: sql.literal(
                `INSERT INTO ${table} AS known (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, `,
              ),
              merge: sql.literal(`) ON CONFLICT (${key}) DO UPDATE SET (${columns}) = ROW (${merged})
                WHERE ROW (${stored}) IS DISTINCT FROM ROW (${merged})
                RETURNING known.xmax = 0 AS created, ${id} AS "matchId"`),
            },
          ]
        }),
      )

      const mergeRows = Effect.fnUntraced(function* <Name extends ArchiveTable>(table: Name, rows: ReadonlyArray<ArchiveRow<Name>> = []) {
        const statement = statements.get(table)
        if (rows.length === 0 || statement === undefined) return []
        return yield* Effect.flatMap(sql`${statement.from}${rowsJson(table, rows)}::json${statement.merge}`, decodeMerged)
      })

      const countRows = Effect.fnUntraced(function* <Name extends ArchiveTable>(table: Name, rows: ReadonlyArray<ArchiveRow<Name>> = []) {
        const merged = yield* mergeRows(table, rows)
        const created = merged.filter((row) => row.created).length
        return { created, updated: merged.length - created, unchanged: rows.length - merged.length }
      })

      /** Deletes stored maps and lines of the matches that are not among the new ones. Returns the ids of their matches. */
      const removeStale = (records: ReadonlyArray<MatchRecord>) => {
        const ids = records.map(({ match }) => match.matchId)
        const maps = JSON.stringify(records.flatMap((record) => record.maps.map(({ mapNumber, matchId }) => ({ matchId, mapNumber }))))
        const lines = JSON.stringify(
          records.flatMap((record) => record.lines.map(({ mapNumber, matchId, playerId }) => ({ matchId, mapNumber, playerId }))),
        )
        return Effect.flatMap(
          sql`
            WITH maps AS (
              DELETE FROM cod_maps WHERE match_id = ANY(${ids}::text[]) AND (match_id, map_number) NOT IN (
                SELECT "matchId", "mapNumber" FROM json_to_recordset(${maps}::json) AS kept ("matchId" text, "mapNumber" integer))
              RETURNING match_id
            ), lines AS (
              DELETE FROM cod_player_lines WHERE match_id = ANY(${ids}::text[]) AND (match_id, map_number, player_id) NOT IN (
                SELECT "matchId", "mapNumber", "playerId" FROM json_to_recordset(${lines}::json)
                  AS kept ("matchId" text, "mapNumber" integer, "playerId" text))
              RETURNING match_id
            )
            SELECT false AS created, match_id AS "matchId" FROM maps
            UNION SELECT false, match_id FROM lines`,
          decodeMerged,
        )
      }

      const writeMatches = Effect.fnUntraced(function* (records: ReadonlyArray<MatchRecord>) {
        if (records.length === 0) return nothing
        const matches = yield* mergeRows(
          "cod_matches",
          records.map(({ match }) => match),
        )
        const removed = yield* removeStale(records)
        const maps = yield* mergeRows(
          "cod_maps",
          records.flatMap((record) => record.maps),
        )
        const lines = yield* mergeRows(
          "cod_player_lines",
          records.flatMap((record) => record.lines),
        )
        const created = matches.filter((row) => row.created).length
        const changed = new Set([...matches, ...removed, ...maps, ...lines].map(({ matchId }) => matchId)).size
        return { created, updated: changed - created, unchanged: records.length - changed }
      })

      return CodArchiveWriter.of({
        write: storeFn(
          "CodArchiveWriter.write",
          limit,
          Effect.fnUntraced(function* (rows) {
            const written = [
              yield* countRows("cod_teams", rows.teams),
              yield* countRows("cod_players", rows.players),
              yield* countRows("cod_tournaments", rows.tournaments),
              yield* countRows("cod_season_teams", rows.seasonTeams),
              yield* countRows("cod_tournament_results", rows.results),
              yield* writeMatches(rows.matches ?? []),
              yield* countRows("cod_tournament_totals", rows.totals),
              yield* countRows("cod_earnings", rows.earnings),
            ]
            return written.reduce(addRows, nothing)
          }, sql.withTransaction),
        ),
        analyze: Effect.asVoid(sql`${sql.literal(`ANALYZE ${Object.keys(tables).join(", ")}`)}`).pipe(
          storeEffect("CodArchiveWriter.analyze", limit),
        ),
      })
    }),
  )
}

const decodeMerged = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ created: Schema.Boolean, matchId: Schema.NullOr(Schema.String) })),
)

const nothing: WrittenRows = { created: 0, updated: 0, unchanged: 0 }

const addRows = (one: WrittenRows, other: WrittenRows): WrittenRows => ({
  created: one.created + other.created,
  updated: one.updated + other.updated,
  unchanged: one.unchanged + other.unchanged,
})
