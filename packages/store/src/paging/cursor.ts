/**
 * Cursors of paginated lists. A cursor holds the sort values of the row before a position and the name of the sort
 * order, in base64url. Rows inserted or deleted before the position do not shift the next page. Clients must treat it as
 * opaque. Its content is validated when it is read back, so it need not be trusted.
 */
import type { PgClient } from "@effect/sql-pg"
import { Option, Schema } from "effect"
import type { Fragment } from "effect/sql/Statement"

export interface SortKey {
  /** SQL expression. */
  readonly of: string
  readonly type: keyof typeof sortTypes
  readonly descending?: boolean | undefined
  /** Null values come last, whether the order is ascending or descending. */
  readonly nullable?: boolean | undefined
}

export interface Order {
  /** A cursor of a list with another order is rejected. */
  readonly name: string
  /** The value of the last key must be unique for each row. */
  readonly keys: readonly [SortKey, ...ReadonlyArray<SortKey>]
}

export interface Position {
  /** Rows before this position, as counted while the previous pages were read. */
  readonly before: number
  readonly values: ReadonlyArray<string | null>
}

interface SortType {
  /** SQL expression that converts a sort value to text without loss. */
  readonly text: (of: string) => string
  /** Texts that the database can convert back. A cursor with any other text is rejected before it reaches the database. */
  readonly fits: RegExp
  readonly value: (sql: PgClient.PgClient, text: string) => Fragment
}

const plain = (type: string, fits: RegExp): SortType => ({
  text: (of) => `(${of})::text`,
  fits,
  value: (sql, text) => sql`${text}::${sql.literal(type)}`,
})

const sortTypes = {
  /** Integer columns of any size. */
  bigint: plain("bigint", /^-?\d{1,18}$/),
  text: plain("text", /^[^\0]*$/),
  uuid: plain("uuid", /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  /** PostgreSQL formats numbers as the shortest text that yields the same number when read back. */
  "double precision": plain("double precision", /^-?\d{1,20}(\.\d{1,40})?(e[-+]\d{1,2})?$/),
  /** Microseconds since the Unix epoch, because the usual text form depends on settings of the session. */
  timestamptz: {
    text: (of) => `(extract(epoch FROM ${of}) * 1000000)::bigint::text`,
    fits: /^-?\d{1,16}$/,
    value: (sql, text) => sql`('epoch'::timestamptz + ${text}::bigint * interval '1 microsecond')`,
  },
  /** Days since the Unix epoch, for the same reason. */
  date: {
    text: (of) => `(${of} - date '1970-01-01')::text`,
    fits: /^-?\d{1,6}$/,
    value: (sql, text) => sql`(date '1970-01-01' + ${text}::integer)`,
  },
} as const satisfies Readonly<Record<string, SortType>>

/** Name of the sort order, number of rows before the position, and the sort values. */
const Written = Schema.StringFromBase64Url.pipe(
  Schema.decodeTo(
    Schema.fromJsonString(Schema.TupleWithRest(Schema.Tuple([Schema.String, Schema.Natural]), [Schema.NullOr(Schema.String)])),
  ),
)
const decodeWritten = Schema.decodeUnknownOption(Written)
const encodeWritten = Schema.encodeSync(Written)

export const writeCursor = ({ name }: Order, { before, values }: Position): string => encodeWritten([name, before, ...values])

/** None if the cursor is invalid or was not created for this sort order. */
export const readCursor = ({ keys, name }: Order, cursor: string): Option.Option<Position> =>
  Option.flatMap(decodeWritten(cursor), ([order, before, ...values]) =>
    order === name && values.length === keys.length && keys.every((key, at) => fits(key, values[at] ?? null))
      ? Option.some({ before, values })
      : Option.none(),
  )

const fits = ({ nullable, type }: SortKey, value: string | null) => (value === null ? nullable === true : sortTypes[type].fits.test(value))

export const orderText = ({ keys }: Order): string =>
  keys.map(({ descending, nullable, of }) => `${of}${descending ? " DESC" : ""}${nullable ? " NULLS LAST" : ""}`).join(", ")

/** SQL expression for an array with the sort values of a row, the input of {@link writeCursor}. */
export const valuesText = ({ keys }: Order): string => `ARRAY[${keys.map(({ of, type }) => sortTypes[type].text(of)).join(", ")}]`

/** SQL condition that selects the rows after the cursor's position. */
export const behind = (sql: PgClient.PgClient, { keys }: Order, { values }: Position): Fragment => {
  const keyValues = keys.map((key, at): KeyValue => ({ ...key, value: values[at] ?? null }))
  const [first] = keys
  const inOneDirection = keys.every(({ descending = false, nullable = false }) => !nullable && descending === (first.descending ?? false))
  // Rows are compared as a whole, `(a, b) > (x, y)`, so that the database can start reading an index at the position.
  if (inOneDirection) {
    return sql`(${sql.csv(keys.map(({ of }) => sql.literal(of)))}) ${sql.literal(first.descending ? "<" : ">")} (${sql.csv(keyValues.map((key) => sqlOf(sql, key)))})`
  }
  const rest = sql.or(keyValues.map((last, at) => sql.and([...keyValues.slice(0, at).map((key) => same(sql, key)), later(sql, last)])))
  // The additional condition on the first key lets the database start reading at the position in an index on that key.
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
