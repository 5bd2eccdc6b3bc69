/**
 * Cursors of paged lists. A cursor marks the position after a row by the values that the list is sorted by, so rows
 * inserted or deleted before it do not shift the next page. It contains these values and the name of the order, in
 * base64url. It is opaque to clients. Its content is validated when it is read, so it need not be trusted.
 */
import type { PgClient } from "@effect/sql-pg"
import { Option, Schema } from "effect"
import type { Fragment } from "effect/sql/Statement"

export interface SortKey {
  /** SQL expression of the sort value, on the listed row. */
  readonly of: string
  readonly type: keyof typeof sortTypes
  readonly descending?: boolean | undefined
  /** True if the value can be null. Rows with null come last in both directions. */
  readonly nullable?: boolean | undefined
}

export interface Order {
  /** Identifies the order. A cursor of one order is rejected by another. */
  readonly name: string
  /** Keys to sort by. The last one must be unique per row. */
  readonly keys: readonly [SortKey, ...ReadonlyArray<SortKey>]
}

export interface Position {
  /** Number of rows before this position, as counted when they were read. */
  readonly before: number
  readonly values: ReadonlyArray<string | null>
}

interface SortType {
  /** Returns SQL that writes a value as text from which exactly the same value can be read back. */
  readonly text: (of: string) => string
  /** Pattern of texts that the database can read. Other values in a cursor never reach the database. */
  readonly fits: RegExp
  readonly value: (sql: PgClient.PgClient, text: string) => Fragment
}

const plain = (type: string, fits: RegExp): SortType => ({
  text: (of) => `(${of})::text`,
  fits,
  value: (sql, text) => sql`${text}::${sql.literal(type)}`,
})

const sortTypes = {
  /** Sort type of every integer column, including smaller integer types. */
  bigint: plain("bigint", /^-?\d{1,18}$/),
  text: plain("text", /^[^\0]*$/),
  uuid: plain("uuid", /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  /** PostgreSQL writes the shortest text that reads back as the same number. */
  "double precision": plain("double precision", /^-?\d{1,20}(\.\d{1,40})?(e[-+]\d{1,2})?$/),
  /** Written as microseconds of the Unix epoch, because the text form of a timestamp depends on the session. */
  timestamptz: {
    text: (of) => `(extract(epoch FROM ${of}) * 1000000)::bigint::text`,
    fits: /^-?\d{1,16}$/,
    value: (sql, text) => sql`('epoch'::timestamptz + ${text}::bigint * interval '1 microsecond')`,
  },
  /** Written as days since the Unix epoch, because the text form of a date depends on the session. */
  date: {
    text: (of) => `(${of} - date '1970-01-01')::text`,
    fits: /^-?\d{1,6}$/,
    value: (sql, text) => sql`(date '1970-01-01' + ${text}::integer)`,
  },
} as const satisfies Readonly<Record<string, SortType>>

/** Content of a cursor: name of the order, number of rows before it, sort values. */
const Written = Schema.StringFromBase64Url.pipe(
  Schema.decodeTo(
    Schema.fromJsonString(Schema.TupleWithRest(Schema.Tuple([Schema.String, Schema.Natural]), [Schema.NullOr(Schema.String)])),
  ),
)
const decodeWritten = Schema.decodeUnknownOption(Written)
const encodeWritten = Schema.encodeSync(Written)

export const writeCursor = ({ name }: Order, { before, values }: Position): string => encodeWritten([name, before, ...values])

/** Returns the position of a cursor, or none if it was not written for this order. */
export const readCursor = ({ keys, name }: Order, cursor: string): Option.Option<Position> =>
  Option.flatMap(decodeWritten(cursor), ([order, before, ...values]) =>
    order === name && values.length === keys.length && keys.every((key, at) => fits(key, values[at] ?? null))
      ? Option.some({ before, values })
      : Option.none(),
  )

const fits = ({ nullable, type }: SortKey, value: string | null) => (value === null ? nullable === true : sortTypes[type].fits.test(value))

/** Returns the expressions for ORDER BY. */
export const orderText = ({ keys }: Order): string =>
  keys.map(({ descending, nullable, of }) => `${of}${descending ? " DESC" : ""}${nullable ? " NULLS LAST" : ""}`).join(", ")

/** Returns SQL for an array of the row's sort values, as {@link writeCursor} needs them. */
export const valuesText = ({ keys }: Order): string => `ARRAY[${keys.map(({ of, type }) => sortTypes[type].text(of)).join(", ")}]`

/** Returns the condition that keeps only rows after the position. */
export const behind = (sql: PgClient.PgClient, { keys }: Order, { values }: Position): Fragment => {
  const told = keys.map((key, at): Told => ({ ...key, value: values[at] ?? null }))
  const [first] = keys
  const inOneDirection = keys.every(({ descending = false, nullable = false }) => !nullable && descending === (first.descending ?? false))
  // With this comparison the database can start reading an index on these columns at the position.
  if (inOneDirection) {
    return sql`(${sql.csv(keys.map(({ of }) => sql.literal(of)))}) ${sql.literal(first.descending ? "<" : ">")} (${sql.csv(told.map((key) => sqlOf(sql, key)))})`
  }
  const rest = sql.or(told.map((last, at) => sql.and([...told.slice(0, at).map((key) => same(sql, key)), later(sql, last)])))
  // The condition on the first key lets the database do the same with an index that begins with that key.
  return told[0] === undefined || told[0].nullable ? rest : sql.and([notBefore(sql, told[0]), rest])
}

interface Told extends SortKey {
  readonly value: string | null
}

const same = (sql: PgClient.PgClient, key: Told) =>
  key.value === null ? sql.literal(`${key.of} IS NULL`) : sql`${sql.literal(key.of)} = ${sqlOf(sql, key)}`

const notBefore = (sql: PgClient.PgClient, key: Told) => sql`${sql.literal(`${key.of} ${key.descending ? "<=" : ">="}`)} ${sqlOf(sql, key)}`

const later = (sql: PgClient.PgClient, key: Told) => {
  if (key.value === null) return sql.literal("false")
  const further = sql`${sql.literal(`${key.of} ${key.descending ? "<" : ">"}`)} ${sqlOf(sql, key)}`
  return key.nullable ? sql`(${further} OR ${sql.literal(key.of)} IS NULL)` : further
}

const sqlOf = (sql: PgClient.PgClient, { type, value }: Told): Fragment =>
  value === null ? sql.literal("NULL") : sortTypes[type].value(sql, value)
