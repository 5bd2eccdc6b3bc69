/** Many rows in one statement: objects whose fields are columns, as JSON, typed by the table they go into. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"

/** Rows of one statement: what a server takes in one message, and keeps of it in memory, stays a few megabytes. */
const STATEMENT_ROWS = 5000

/** A column's value as JSON. */
export type Cell = Schema.Json
export type Row = Readonly<Record<string, Cell>>

/** For `bigint[]`: the driver refuses arrays in which some numbers fit into 32 bits and some do not. */
export const bigints = (numbers: ReadonlyArray<number>): ReadonlyArray<bigint> => numbers.map(BigInt)

export const chunks = <A>(rows: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(rows.length / size) }, (_, index) => rows.slice(index * size, (index + 1) * size))

/** Inserts rows that all have the fields of the first. `rest`: what follows, such as a conflict clause. */
export const insertRows = (sql: PgClient.PgClient, table: string, rows: ReadonlyArray<Row>, rest = ""): Effect.Effect<void, SqlError> => {
  const columns = columnsOf(rows)
  return insert(sql, table, columns, columns, rows, rest)
}

/** New rows are inserted; those that are there take the fields given. Both were seen, and written, now. */
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

/** Rows of a statement that selects `to_jsonb(…) AS row`. */
export const rowsOf = <A, I>(schema: Schema.Codec<A, I>) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(schema))
  return Effect.fnUntraced(function* (statement: Effect.Effect<ReadonlyArray<unknown>, SqlError>) {
    const envelopes = yield* decodeEnvelopes(yield* statement)
    return yield* decode(envelopes.map(({ row }) => row))
  })
}
