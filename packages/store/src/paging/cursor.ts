/**
 * Cursors for paginated lists. A cursor identifies a position in a list by the sort values of the row before the
 * position. Therefore, rows inserted or deleted before the position do not shift the next page. A cursor contains these
 * values and the name of the sort order, encoded in base64url. Clients must treat it as opaque. Its content is
 * validated when it is read back, so it need not be trusted.
 */
import type { PgClient } from "@effect/sql-pg"
import { Option, Schema } from "effect"
import type { Fragment } from "effect/sql/Statement"

export interface SortKey {
  /** SQL expression for one of the values by which rows are sorted. */
  readonly of: string
  readonly type: keyof typeof sortTypes
  readonly descending?: boolean | undefined
  /**
   * True if the sort value can be null. Rows with a null value come last, whether the order is ascending or descending.
   */
  readonly nullable?: boolean | undefined
}

export interface Order {
  /** Name of the sort order. A cursor that was created for a list with another order is rejected. */
  readonly name: string
  /** Keys by which the list is sorted. The value of the last key must be unique for each row. */
  readonly keys: readonly [SortKey, ...ReadonlyArray<SortKey>]
}

export interface Position {
  /** Number of rows before this position in the list, as counted while the previous pages were read. */
  readonly before: number
  readonly values: ReadonlyArray<string | null>
}

interface SortType {
  /**
   * Returns an SQL expression that converts a sort value to text without loss, so that exactly the same value can be
   * read back.
   */
  readonly text: (of: string) => string
  /**
   * Pattern of the texts that the database can convert back to a sort value. A cursor with any other text is rejected
   * before it reaches the database.
   */
  readonly fits: RegExp
  readonly value: (sql: PgClient.PgClient, text: string) => Fragment
}

const plain = (type: string, fits: RegExp): SortType => ({
  text: (of) => `(${of})::text`,
  fits,
  value: (sql, text) => sql`${text}::${sql.literal(type)}`,
})

const sortTypes = {
  /** Sort value from an integer column of any size. */
  bigint: plain("bigint", /^-?\d{1,18}$/),
  text: plain("text", /^[^\0]*$/),
  uuid: plain("uuid", /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  /**
   * Floating-point numbers need no special conversion, because PostgreSQL formats them as the shortest text that yields
   * the same number when read back.
   */
  "double precision": plain("double precision", /^-?\d{1,20}(\.\d{1,40})?(e[-+]\d{1,2})?$/),
  /**
   * Timestamps are written as microseconds since the Unix epoch, because their usual text form depends on settings of
   * the database session.
   */
  timestamptz: {
    text: (of) => `(extract(epoch FROM ${of}) * 1000000)::bigint::text`,
    fits: /^-?\d{1,16}$/,
    value: (sql, text) => sql`('epoch'::timestamptz + ${text}::bigint * interval '1 microsecond')`,
  },
  /**
   * Dates are written as days since the Unix epoch, because their usual text form depends on settings of the database
   * session.
   */
  date: {
    text: (of) => `(${of} - date '1970-01-01')::text`,
    fits: /^-?\d{1,6}$/,
    value: (sql, text) => sql`(date '1970-01-01' + ${text}::integer)`,
  },
} as const satisfies Readonly<Record<string, SortType>>

/**
 * Decoded content of a cursor: the name of the sort order, the number of rows before the position, and the sort values.
 */
const Written = Schema.StringFromBase64Url.pipe(
  Schema.decodeTo(
    Schema.fromJsonString(Schema.TupleWithRest(Schema.Tuple([Schema.String, Schema.Natural]), [Schema.NullOr(Schema.String)])),
  ),
)
const decodeWritten = Schema.decodeUnknownOption(Written)
const encodeWritten = Schema.encodeSync(Written)

export const writeCursor = ({ name }: Order, { before, values }: Position): string => encodeWritten([name, before, ...values])

/**
 * Returns the position that a cursor identifies, or none if the cursor is invalid or was not created for this sort
 * order.
 */
export const readCursor = ({ keys, name }: Order, cursor: string): Option.Option<Position> =>
  Option.flatMap(decodeWritten(cursor), ([order, before, ...values]) =>
    order === name && values.length === keys.length && keys.every((key, at) => fits(key, values[at] ?? null))
      ? Option.some({ before, values })
      : Option.none(),
  )

const fits = ({ nullable, type }: SortKey, value: string | null) => (value === null ? nullable === true : sortTypes[type].fits.test(value))

/** Returns the SQL expressions for ORDER BY. */
export const orderText = ({ keys }: Order): string =>
  keys.map(({ descending, nullable, of }) => `${of}${descending ? " DESC" : ""}${nullable ? " NULLS LAST" : ""}`).join(", ")

/** Returns an SQL expression for an array with the sort values of a row, which is the input of {@link writeCursor}. */
export const valuesText = ({ keys }: Order): string => `ARRAY[${keys.map(({ of, type }) => sortTypes[type].text(of)).join(", ")}]`

/** Returns an SQL condition that selects the rows after the cursor's position. */
export const behind = (sql: PgClient.PgClient, { keys }: Order, { values }: Position): Fragment => {
  const keyValues = keys.map((key, at): KeyValue => ({ ...key, value: values[at] ?? null }))
  const [first] = keys
  const inOneDirection = keys.every(({ descending = false, nullable = false }) => !nullable && descending === (first.descending ?? false))
  // If all keys have the same direction, rows are compared as a whole, `(a, b) > (x, y)`. In this form, the database
  // can use an index on these columns and start reading it at the position.
  if (inOneDirection) {
    return sql`(${sql.csv(keys.map(({ of }) => sql.literal(of)))}) ${sql.literal(first.descending ? "<" : ">")} (${sql.csv(keyValues.map((key) => sqlOf(sql, key)))})`
  }
  const rest = sql.or(keyValues.map((last, at) => sql.and([...keyValues.slice(0, at).map((key) => same(sql, key)), later(sql, last)])))
  // Here the keys have different directions. The additional condition on the first key allows the database to start
  // reading at the position if an index begins with that key.
  return keyValues[0] === undefined || keyValues[0].nullable ? rest : sql.and([notBefore(sql, keyValues[0]), rest])
}

interface KeyValue extends SortKey {
  readonly value: string | null
}

const same = (sql: PgClient.PgClient, key: KeyValue) =>
  key.value === null ? sql.literal(`${key.of} IS NULL`) : sql`${sql.literal(key.of)} = ${sqlOf(sql, key)}`

const notBefore = (sql: PgClient.PgClient, key: KeyValue) =>
  sql`${sql.literal(`${key.of} ${key.descending ? "<=" : ">="}`)} ${sqlOf(sql, key)}`

const later = (sql: PgClient.PgClient, key: KeyValue) => {
  if (key.value === null) return sql.literal("false")
  const further = sql`${sql.literal(`${key.of} ${key.descending ? "<" : ">"}`)} ${sqlOf(sql, key)}`
  return key.nullable ? sql`(${further} OR ${sql.literal(key.of)} IS NULL)` : further
}

const sqlOf = (sql: PgClient.PgClient, { type, value }: KeyValue): Fragment =>
  value === null ? sql.literal("NULL") : sortTypes[type].value(sql, value)
