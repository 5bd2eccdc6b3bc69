/**
 * Reads and writes many rows with one SQL statement. Rows are JSON objects with one field per column; the database
 * converts each field to the type of its column.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"

/** Rows per SQL statement. Limits a message to the database, and the server's memory for it, to a few megabytes. */
const STATEMENT_ROWS = 5000

export type Cell = Schema.Json
export type Row = Readonly<Record<string, Cell>>

/** For a `bigint[]` parameter: the driver rejects number arrays in which only some values fit into 32 bits. */
export const bigints = (numbers: ReadonlyArray<number>): ReadonlyArray<bigint> => numbers.map(BigInt)

export const chunks = <A>(rows: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(rows.length / size) }, (_, index) => rows.slice(index * size, (index + 1) * size))

/** All rows must have the fields of the first one. `rest` is SQL appended to the statement, such as `ON CONFLICT`. */
export const insertRows = (sql: PgClient.PgClient, table: string, rows: ReadonlyArray<Row>, rest = ""): Effect.Effect<void, SqlError> => {
  const columns = columnsOf(rows)
  return insert(sql, table, columns, columns, rows, rest)
}

/** Updates the given fields of rows that exist. Also sets `last_synced_at` and `last_verified` of these rows to now. */
export const upsertRows = (
  sql: PgClient.PgClient,
  table: string,
  key: ReadonlyArray<string>,
  rows: ReadonlyArray<Row>,
): Effect.Effect<void, SqlError> => {
  const columns = columnsOf(rows)
  const changed = [...columns.filter((column) => !key.includes(column)), "last_synced_at", "last_verified"]
  return insert(
    sql,
    table,
    [...columns, "last_synced_at", "last_verified"],
    [...columns, "now()", "now()"],
    rows,
    `ON CONFLICT (${key.join(", ")}) DO UPDATE SET ${changed.map((column) => `${column} = excluded.${column}`).join(", ")}`,
  )
}

const columnsOf = ([first]: ReadonlyArray<Row>): ReadonlyArray<string> => Object.keys(first ?? {})

const insert = (
  sql: PgClient.PgClient,
  table: string,
  columns: ReadonlyArray<string>,
  values: ReadonlyArray<string>,
  rows: ReadonlyArray<Row>,
  rest: string,
): Effect.Effect<void, SqlError> =>
  Effect.forEach(
    chunks(rows, STATEMENT_ROWS),
    (some) => sql`
      INSERT INTO ${sql.literal(`${table} (${columns.join(", ")})`)}
      SELECT ${sql.literal(values.join(", "))} FROM jsonb_populate_recordset(NULL::${sql.literal(table)}, ${sql.json(some)})
      ${sql.literal(rest)}`,
    { discard: true },
  )

const Envelopes = Schema.Array(Schema.Struct({ row: Schema.Unknown }))
const decodeEnvelopes = Schema.decodeUnknownEffect(Envelopes)

/** For statements of the form `SELECT to_jsonb(…) AS row`. */
export const rowsOf = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(schema))
  return Effect.fnUntraced(function* (statement: Effect.Effect<ReadonlyArray<unknown>, SqlError>) {
    const envelopes = yield* decodeEnvelopes(yield* statement)
    return yield* decode(envelopes.map(({ row }) => row))
  })
}
