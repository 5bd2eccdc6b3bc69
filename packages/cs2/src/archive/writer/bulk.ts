/**
 * Reads and writes many table rows with one SQL statement. Rows are passed to the database as JSON objects with one
 * field per column. The database converts each field to the type of its column.
 */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"

/**
 * Maximum number of rows per SQL statement. It limits the size of the message to the database, and the memory that the
 * database server needs for it, to a few megabytes.
 */
const STATEMENT_ROWS = 5000

/** Value of one column in one row, as JSON. */
export type Cell = Schema.Json
export type Row = Readonly<Record<string, Cell>>

/**
 * Converts numbers to bigints for a `bigint[]` SQL parameter, because the driver rejects number arrays in which only
 * some of the values fit into 32 bits.
 */
export const bigints = (numbers: ReadonlyArray<number>): ReadonlyArray<bigint> => numbers.map(BigInt)

export const chunks = <A>(rows: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(rows.length / size) }, (_, index) => rows.slice(index * size, (index + 1) * size))

/**
 * Inserts rows. All rows must have the same fields as the first one. `rest` is SQL appended to the statement, such as
 * an `ON CONFLICT` clause.
 */
export const insertRows = (sql: PgClient.PgClient, table: string, rows: ReadonlyArray<Row>, rest = ""): Effect.Effect<void, SqlError> => {
  const columns = columnsOf(rows)
  return insert(sql, table, columns, columns, rows, rest)
}

/**
 * Inserts new rows, and updates the given fields of rows that already exist. Also sets the columns `last_synced_at` and
 * `last_verified` of these rows to the current time.
 */
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

/**
 * Returns a function that runs a statement of the form `SELECT to_jsonb(…) AS row` and decodes the rows with the
 * schema.
 */
export const rowsOf = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(schema))
  return Effect.fnUntraced(function* (statement: Effect.Effect<ReadonlyArray<unknown>, SqlError>) {
    const envelopes = yield* decodeEnvelopes(yield* statement)
    return yield* decode(envelopes.map(({ row }) => row))
  })
}
