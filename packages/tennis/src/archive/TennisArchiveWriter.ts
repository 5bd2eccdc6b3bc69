/** Writes players, matches and rankings in bulk, and prepares the tables for queries. Reads no files. */
import { PgClient } from "@effect/sql-pg"
import { Counter } from "@matchpoint/store/Counter"
import { OperationTimeout, type StoreError, storeEffect, storeFn, storeOperation } from "@matchpoint/store/StoreError"
import type { OnStep } from "@matchpoint/store/steps"
import { Context, Duration, Effect, Layer, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { computedColumns, doublesColumns, singlesColumns } from "../rules/archive/columns.ts"
import { competitionIdText, hasNoDayText } from "./matches/matchJson.ts"
import { rowsLiteral } from "./rowLiteral.ts"

/** Columns in the order of the table, and those of its primary key. */
const tables = {
  tennis_players: {
    key: ["player_id"],
    columns: ["player_id", "tour", "first_name", "last_name", "hand", "birth_date", "country", "height_cm", "wikidata_id"],
  },
  tennis_matches: { key: ["match_id"], columns: [...computedColumns, ...singlesColumns.map(({ name }) => name)] },
  tennis_doubles_matches: { key: ["match_id"], columns: [...computedColumns, ...doublesColumns.map(({ name }) => name)] },
  tennis_rankings: {
    key: ["player_id", "ranking_date"],
    columns: ["player_id", "ranking_date", "tour", "rank", "points", "tournaments"],
  },
} as const

export type TennisTable = keyof typeof tables

/**
 * Indexes for lists of matches of a player, of a pair, of a tournament and by date, and for ranking lists. Lists are
 * sorted by date, so an index of a filter has the date as its second column.
 */
const indexes = [
  ["tennis_matches_of_winner", "tennis_matches (winner_id, match_date)"],
  ["tennis_matches_of_loser", "tennis_matches (loser_id, match_date)"],
  ["tennis_matches_of_pair", "tennis_matches (winner_id, loser_id)"],
  ["tennis_matches_of_competition", `tennis_matches ((${competitionIdText("tennis_matches")}), match_date)`],
  ["tennis_matches_of_name", "tennis_matches (lower(tournament_name), match_date)"],
  ["tennis_matches_by_day", "tennis_matches (match_date)"],
  ["tennis_matches_by_surface", "tennis_matches (surface, match_date)"],
  ["tennis_matches_by_level", "tennis_matches (level, match_date)"],
  ["tennis_matches_by_round", "tennis_matches (round, match_date)"],
  ["tennis_matches_by_circuit", "tennis_matches (circuit, match_date)"],
  ["tennis_matches_of_tournament", "tennis_matches (tournament_id, tour)"],
  ["tennis_matches_by_date", "tennis_matches (tour, match_date)"],
  ["tennis_tour_matches_by_date", "tennis_matches (tour, match_date) WHERE circuit = 'tour'"],
  ["tennis_matches_of_known_day", `tennis_matches (match_date, tour, match_id) WHERE NOT (${hasNoDayText("tennis_matches")})`],
  ["tennis_doubles_matches_by_date", "tennis_doubles_matches (tour, match_date)"],
  ["tennis_rankings_by_date", "tennis_rankings (tour, ranking_date, rank)"],
] as const

/** Creating an index reads a whole table, and cannot be divided into steps. */
const INDEX_TIMEOUT = Duration.minutes(30)

const Written = Schema.Struct({ created: Counter, updated: Counter })

/** Stored rows of one kind, such as the matches of a circuit. */
const KindCount = Schema.Struct({ kind: Schema.String, count: Counter })
export type KindCount = typeof KindCount.Type

export interface BulkTally {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
}

export class TennisArchiveWriter extends Context.Service<
  TennisArchiveWriter,
  {
    /** Inserts, or updates rows with the same key that change. `rows` come from `rowLiteral`, at most one per key. */
    readonly write: (table: TennisTable, rows: ReadonlyArray<string>) => Effect.Effect<BulkTally, StoreError>
    /**
     * Creates the missing indexes and updates the planner's statistics. `onStep` is called before each of them. An index
     * may take longer than other statements. Must not run in a transaction.
     */
    readonly prepare: (onStep: OnStep) => Effect.Effect<void, StoreError>
    /** Counts by tour and circuit, largest first. */
    readonly matchCounts: Effect.Effect<ReadonlyArray<KindCount>, StoreError>
    /** Scores that cannot be parsed by problem, largest first. */
    readonly problemCounts: Effect.Effect<ReadonlyArray<KindCount>, StoreError>
  }
>()("@matchpoint/tennis/archive/TennisArchiveWriter") {
  static readonly layer = Layer.effect(
    TennisArchiveWriter,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const merge = SqlSchema.findOne({
        Request: Schema.Struct({
          table: Schema.Literals(["tennis_players", "tennis_matches", "tennis_doubles_matches", "tennis_rankings"]),
          rows: Schema.String,
        }),
        Result: Written,
        execute: ({ rows, table }) => sql`
          WITH written AS (
            INSERT INTO ${sql(table)} AS known (${literals[table].columns})
            SELECT ${literals[table].columns} FROM unnest(${rows}::text::${sql(table)}[])
            ON CONFLICT (${literals[table].key}) DO UPDATE SET (${literals[table].columns}) = ROW (${literals[table].excluded})
            WHERE (known.*) IS DISTINCT FROM (excluded.*)
            RETURNING known.xmax = 0 AS created
          )
          SELECT count(*) FILTER (WHERE created) AS created, count(*) FILTER (WHERE NOT created) AS updated FROM written`,
      })
      const literals = mapTables(({ columns, key }) => ({
        key: sql.literal(key.join(", ")),
        columns: sql.literal(columns.join(", ")),
        excluded: sql.literal(columns.map((column) => `excluded.${column}`).join(", ")),
      }))

      const countMatches = SqlSchema.findAll({
        Request: Schema.Void,
        Result: KindCount,
        execute: () => sql`
          SELECT tour || ' ' || circuit AS kind, count(*) AS count FROM (
            SELECT tour, circuit FROM tennis_matches UNION ALL SELECT tour, circuit FROM tennis_doubles_matches
          ) AS stored GROUP BY kind ORDER BY count DESC, kind`,
      })

      const countProblems = SqlSchema.findAll({
        Request: Schema.Void,
        Result: KindCount,
        execute: () => sql`
          SELECT score_problem AS kind, count(*) AS count FROM (
            SELECT score_problem FROM tennis_matches UNION ALL SELECT score_problem FROM tennis_doubles_matches
          ) AS stored WHERE score_problem IS NOT NULL GROUP BY kind ORDER BY count DESC, kind`,
      })

      return TennisArchiveWriter.of({
        write: storeFn("TennisArchiveWriter.write", limit, function* (table, rows) {
          const written = yield* Effect.catchTag(merge({ table, rows: rowsLiteral(rows) }), "NoSuchElementError", Effect.die)
          return { ...written, unchanged: rows.length - written.created - written.updated }
        }),
        prepare: Effect.fn("TennisArchiveWriter.prepare")(function* (onStep) {
          const named = Object.keys(tables)
          const steps = indexes.length + named.length
          for (const [done, [name, on]] of indexes.entries()) {
            yield* onStep({ name: `index ${name}`, done, steps })
            yield* Effect.andThen(
              sql`SET LOCAL statement_timeout = ${sql.literal(String(Duration.toMillis(INDEX_TIMEOUT)))}`,
              sql`${sql.literal(`CREATE INDEX IF NOT EXISTS ${name} ON ${on}`)}`,
            ).pipe(sql.withTransaction, storeOperation("TennisArchiveWriter.prepare", INDEX_TIMEOUT))
          }
          const run = (statement: string) => sql`${sql.literal(statement)}`.pipe(storeOperation("TennisArchiveWriter.prepare", limit))
          for (const [index, table] of named.entries()) {
            yield* onStep({ name: `statistics of ${table}`, done: indexes.length + index, steps })
            yield* run(`ANALYZE ${table}`)
            // Reads are right without it, only slower, and the database does it by itself later.
            yield* Effect.catchIf(
              run(`VACUUM ${table}`),
              ({ isRetryable }) => isRetryable,
              (error) => Effect.logWarning(error.message),
            )
          }
        }),
        matchCounts: countMatches().pipe(storeEffect("TennisArchiveWriter.matchCounts", limit)),
        problemCounts: countProblems().pipe(storeEffect("TennisArchiveWriter.problemCounts", limit)),
      })
    }),
  )
}

interface Table {
  readonly key: ReadonlyArray<string>
  readonly columns: ReadonlyArray<string>
}

const mapTables = <A>(of: (table: Table) => A): Readonly<Record<TennisTable, A>> => ({
  tennis_players: of(tables.tennis_players),
  tennis_matches: of(tables.tennis_matches),
  tennis_doubles_matches: of(tables.tennis_doubles_matches),
  tennis_rankings: of(tables.tennis_rankings),
})
