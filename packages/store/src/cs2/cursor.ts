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

/** How a value is written so that it comes back exactly, and what a value of that type may look like. */
const sortTypes = {
  bigint: { text: (of: string) => `(${of})::text`, fits: /^-?\d{1,18}$/ },
  /** Microseconds of the Unix epoch: a date's text depends on the session. */
  timestamptz: { text: (of: string) => `(extract(epoch FROM ${of}) * 1000000)::bigint::text`, fits: /^-?\d{1,16}$/ },
  /** Postgres writes the shortest text that is read back as the same number. */
  "double precision": { text: (of: string) => `(${of})::text`, fits: /^-?\d{1,300}(\.\d{1,40})?(e[-+]\d{1,2})?$/ },
  text: { text: (of: string) => `(${of})::text`, fits: /^[^\0]*$/ },
} as const

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
  const told = keys.map((key, at) => ({ key, value: values[at] ?? null }))
  const [first] = keys
  const inOneDirection = keys.every(({ descending = false, nullable = false }) => !nullable && descending === (first.descending ?? false))
  // An index of these columns is entered at that row.
  if (inOneDirection) {
    const columns = sql.literal(keys.map(({ of }) => of).join(", "))
    return sql`(${columns}) ${sql.literal(first.descending ? "<" : ">")} (${sql.csv(told.map((each) => valueText(sql, each)))})`
  }
  return sql.or(
    told.map((last, at) =>
      sql.and([...told.slice(0, at).map(({ key, value }) => same(sql, key, value)), later(sql, last.key, last.value)]),
    ),
  )
}

const same = (sql: PgClient.PgClient, key: SortKey, value: string | null) =>
  value === null ? sql.literal(`${key.of} IS NULL`) : sql`${sql.literal(key.of)} = ${valueText(sql, { key, value })}`

const later = (sql: PgClient.PgClient, key: SortKey, value: string | null) => {
  if (value === null) return sql.literal("false")
  const further = sql`${sql.literal(`${key.of} ${key.descending ? "<" : ">"}`)} ${valueText(sql, { key, value })}`
  return key.nullable ? sql`(${further} OR ${sql.literal(key.of)} IS NULL)` : further
}

const valueText = (sql: PgClient.PgClient, { key, value }: { readonly key: SortKey; readonly value: string | null }): Fragment =>
  key.type === "timestamptz"
    ? sql`('epoch'::timestamptz + ${value}::bigint * interval '1 microsecond')`
    : sql`${value}::${sql.literal(key.type)}`
