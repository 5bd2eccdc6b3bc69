/** Writing the same values again changes nothing. `ApexSummaries` computes the summaries from what changed. */
import { createHash } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { Counter } from "@matchpoint/store/Counter"
import { OperationTimeout, type StoreError, storeFn, storeOperation } from "@matchpoint/store/StoreError"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import type { ApexPlayer, ApexSeries, ApexTournament, ApexTransaction } from "../rules/archive/series.ts"
import { gameRowsOf, playerRowOf, seriesRowOf, tournamentRowOf, transactionRowOf } from "./rows.ts"

export interface WriteTally {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
}

const Written = Schema.Struct({ created: Counter, updated: Counter })

export class ApexArchiveWriter extends Context.Service<
  ApexArchiveWriter,
  {
    /**
     * Inserts series with their games, or replaces series with the same id. Each id may occur once. The tournaments of
     * changed series are marked, so that `ApexSummaries.refresh` computes them again.
     */
    readonly writeSeries: (series: ReadonlyArray<ApexSeries>) => Effect.Effect<WriteTally, StoreError>
    readonly writeTournaments: (tournaments: ReadonlyArray<ApexTournament>) => Effect.Effect<WriteTally, StoreError>
    readonly writePlayers: (players: ReadonlyArray<ApexPlayer>) => Effect.Effect<WriteTally, StoreError>
    readonly writeTransactions: (transactions: ReadonlyArray<ApexTransaction>) => Effect.Effect<WriteTally, StoreError>
  }
>()("@matchpoint/apex/archive/ApexArchiveWriter") {
  static readonly layer = Layer.effect(
    ApexArchiveWriter,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      /** Writes only rows that would change. `rows` is a JSON array of objects. */
      const merge = (table: keyof typeof tables, returning: string) => {
        const { columns, key, watched } = tables[table]
        const list = sql.literal(columns.join(", "))
        const values = (prefix: string) => sql.literal(watched.map((column) => `${prefix}.${column}::text`).join(", "))
        return (rows: string) => sql`
          INSERT INTO ${sql(table)} AS known (${list})
          SELECT ${list} FROM json_populate_recordset(NULL::${sql(table)}, ${rows}::json)
          ON CONFLICT (${sql(key)}) DO UPDATE SET (${list}) = ROW (${sql.literal(columns.map((column) => `excluded.${column}`).join(", "))})
          WHERE (${values("known")}) IS DISTINCT FROM (${values("excluded")})
          RETURNING known.xmax = 0 AS created${sql.literal(returning)}`
      }

      const counted = (table: "apex_tournaments" | "apex_players" | "apex_transactions") =>
        SqlSchema.findOne({
          Request: Schema.String,
          Result: Written,
          execute: (rows) => sql`
            WITH written AS (${merge(table, "")(rows)})
            SELECT count(*) FILTER (WHERE created) AS created, count(*) FILTER (WHERE NOT created) AS updated FROM written`,
        })

      const mergeSeries = SqlSchema.findAll({
        Request: Schema.String,
        Result: Schema.Struct({ created: Schema.Boolean, seriesId: Schema.String }),
        execute: merge("apex_series", `, known.series_id AS "seriesId"`),
      })

      const writeAll = (name: string, table: "apex_tournaments" | "apex_players" | "apex_transactions") => {
        const write = counted(table)
        return Effect.fn(`ApexArchiveWriter.${name}`)(
          function* (rows: ReadonlyArray<object>) {
            if (rows.length === 0) return nothing
            const written = yield* Effect.catchTag(write(JSON.stringify(rows)), "NoSuchElementError", Effect.die)
            return { ...written, unchanged: rows.length - written.created - written.updated }
          },
          storeOperation(`ApexArchiveWriter.${name}`, limit),
        )
      }
      const tournaments = writeAll("writeTournaments", "apex_tournaments")
      const players = writeAll("writePlayers", "apex_players")
      const transactions = writeAll("writeTransactions", "apex_transactions")

      return ApexArchiveWriter.of({
        writeSeries: storeFn(
          "ApexArchiveWriter.writeSeries",
          limit,
          Effect.fnUntraced(function* (list) {
            if (list.length === 0) return nothing
            const rows = list.map((series) => seriesRowOf(series, hashOf(series)))
            const written = yield* mergeSeries(JSON.stringify(rows))
            const ids = new Set(written.map(({ seriesId }) => seriesId))
            const changed = list.filter(({ seriesId }) => ids.has(seriesId))
            if (changed.length > 0) {
              yield* sql`DELETE FROM apex_games WHERE series_id IN ${sql.in([...ids])}`
              yield* sql`INSERT INTO apex_games SELECT * FROM json_populate_recordset(NULL::apex_games,
                ${JSON.stringify(changed.flatMap(gameRowsOf))}::json)`
              yield* sql`
                INSERT INTO apex_tournaments (tournament_id, name, region, source)
                SELECT DISTINCT ON (tournament_id) tournament_id, name, region, source
                FROM json_populate_recordset(NULL::apex_tournaments, ${JSON.stringify(changed.map(mentionedTournament))}::json)
                ORDER BY tournament_id ON CONFLICT (tournament_id) DO UPDATE SET is_stale = true`
            }
            const created = written.filter((row) => row.created).length
            return { created, updated: written.length - created, unchanged: list.length - written.length }
          }, sql.withTransaction),
        ),
        writeTournaments: (list) => tournaments(list.map(tournamentRowOf)),
        writePlayers: (list) => players(list.map(playerRowOf)),
        writeTransactions: (list) => transactions(list.map(transactionRowOf)),
      })
    }),
  )
}

/** A row is written again if a watched column changes. The others are computed from the watched ones. */
const tables = {
  apex_series: {
    key: "series_id",
    columns: [
      "series_id",
      "tournament_id",
      "region",
      "status",
      "source",
      "sort_at",
      "hash",
      "team_lines",
      "content",
      "listing",
      "scores",
      "bans",
    ],
    watched: ["hash"],
  },
  apex_tournaments: {
    key: "tournament_id",
    columns: ["tournament_id", "name", "region", "source", "starts_on", "ends_on", "stated", "is_stale"],
    watched: ["stated"],
  },
  // The writer sets no \`details\`, so they become null and are computed again.
  apex_players: { key: "player_id", columns: ["player_id", "source", "stated", "name", "details"], watched: ["stated"] },
  apex_transactions: {
    key: "transaction_id",
    columns: ["transaction_id", "type", "day", "region", "team_name", "player_id", "player_name", "source", "details"],
    watched: ["details"],
  },
} as const

const nothing: WriteTally = { created: 0, updated: 0, unchanged: 0 }

/** Increase it when the same series gives other JSON, so that series are written again. */
const VERSION = 1

const hashOf = (series: ApexSeries): string =>
  createHash("sha256")
    .update(`${VERSION}\n${JSON.stringify(series)}`)
    .digest("base64url")

const mentionedTournament = ({ region, source, tournamentId, tournamentName }: ApexSeries) => ({
  tournament_id: tournamentId,
  name: tournamentName,
  region,
  source,
})
