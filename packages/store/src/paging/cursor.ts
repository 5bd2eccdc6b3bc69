/**
 * Where a list goes on: behind a row, by the values that the list is sorted by. Rows that come in above it, or go, shift nothing. A
 * cursor is those values with the name of the order, in base64url; it is opaque to whoever sends it back, and nobody has to trust it.
 */
import type { PgClient } from "@effect/sql-pg"
import { Option, Schema } from "effect"
import type { Fragment } from "effect/sql/Statement"

export interface SortKey {
  /** SQL of the list's row. */
  readonly of: string
  readonly type: keyof typeof sortTypes
  readonly descending?: boolean | undefined
  /** Rows without a value come last, in either direction. */
  readonly nullable?: boolean | undefined
}

export interface Order {
  /** A cursor of one order does not fit another. */
  readonly name: string
  /** The last one is of one row only. */
  readonly keys: readonly [SortKey, ...ReadonlyArray<SortKey>]
}

export interface Position {
  /** Rows that came before, as counted when they were read. */
  readonly before: number
  readonly values: ReadonlyArray<string | null>
}

interface SortType {
  /** A value as text that comes back as exactly the same. */
  readonly text: (of: string) => string
  /** Texts that the database can read: nothing else of a cursor reaches it. */
  readonly fits: RegExp
  readonly value: (sql: PgClient.PgClient, text: string) => Fragment
}

const plain = (type: string, fits: RegExp): SortType => ({
  text: (of) => `(${of})::text`,
  fits,
  value: (sql, text) => sql`${text}::${sql.literal(type)}`,
})

const sortTypes = {
  /** Shorter integers too. */
  bigint: plain("bigint", /^-?\d{1,18}$/),
  text: plain("text", /^[^\0]*$/),
  uuid: plain("uuid", /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  /** Postgres writes the shortest text that is read back as the same number. */
  "double precision": plain("double precision", /^-?\d{1,20}(\.\d{1,40})?(e[-+]\d{1,2})?$/),
  /** Microseconds of the Unix epoch: a date's text depends on the session. */
  timestamptz: {
    text: (of) => `(extract(epoch FROM ${of}) * 1000000)::bigint::text`,
    fits: /^-?\d{1,16}$/,
    value: (sql, text) => sql`('epoch'::timestamptz + ${text}::bigint * interval '1 microsecond')`,
  },
  /** Days since the epoch, for the same reason. */
  date: {
    text: (of) => `(${of} - date '1970-01-01')::text`,
    fits: /^-?\d{1,6}$/,
    value: (sql, text) => sql`(date '1970-01-01' + ${text}::integer)`,
  },
} as const satisfies Readonly<Record<string, SortType>>

/** Name of the order, rows before, values. */
const Written = Schema.StringFromBase64Url.pipe(
  Schema.decodeTo(
    Schema.fromJsonString(Schema.TupleWithRest(Schema.Tuple([Schema.String, Schema.Natural]), [Schema.NullOr(Schema.String)])),
  ),
)
const decodeWritten = Schema.decodeUnknownOption(Written)
const encodeWritten = Schema.encodeSync(Written)

export const writeCursor = ({ name }: Order, { before, values }: Position): string => encodeWritten([name, before, ...values])

/** None: it was not written of this order. */
export const readCursor = ({ keys, name }: Order, cursor: string): Option.Option<Position> =>
  Option.flatMap(decodeWritten(cursor), ([order, before, ...values]) =>
    order === name && values.length === keys.length && keys.every((key, at) => fits(key, values[at] ?? null))
      ? Option.some({ before, values })
      : Option.none(),
  )

const fits = ({ nullable, type }: SortKey, value: string | null) => (value === null ? nullable === true : sortTypes[type].fits.test(value))

/** For ORDER BY. */
export const orderText = ({ keys }: Order): string =>
  keys.map(({ descending, nullable, of }) => `${of}${descending ? " DESC" : ""}${nullable ? " NULLS LAST" : ""}`).join(", ")

/** An array of the row's values, for {@link writeCursor}. */
export const valuesText = ({ keys }: Order): string => `ARRAY[${keys.map(({ of, type }) => sortTypes[type].text(of)).join(", ")}]`

/** What rows behind the position fulfil. */
export const behind = (sql: PgClient.PgClient, { keys }: Order, { values }: Position): Fragment => {
  const told = keys.map((key, at): Told => ({ ...key, value: values[at] ?? null }))
  const [first] = keys
  const inOneDirection = keys.every(({ descending = false, nullable = false }) => !nullable && descending === (first.descending ?? false))
  // An index of these columns is entered at that row.
  if (inOneDirection) {
    return sql`(${sql.csv(keys.map(({ of }) => sql.literal(of)))}) ${sql.literal(first.descending ? "<" : ">")} (${sql.csv(told.map((key) => sqlOf(sql, key)))})`
  }
  const rest = sql.or(told.map((last, at) => sql.and([...told.slice(0, at).map((key) => same(sql, key)), later(sql, last)])))
  // So is one that begins with the first of them.
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
