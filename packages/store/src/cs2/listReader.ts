/** The one way in which lists of the archive are read: a page of rows, how many there are, and where the next page begins. */
import type { PgClient } from "@effect/sql-pg"
import { type Duration, Effect, Option, Schema } from "effect"
import type { Fragment } from "effect/sql/Statement"
import { type StoreError, storeOperation } from "../StoreError.ts"
import { behind, type Order, orderText, readCursor, valuesText, writeCursor } from "./cursor.ts"
import { totalOf } from "./reading.ts"

/** The page behind `cursor`; without one, the one that begins at `offset`, which counts from 0. */
export interface PageWindow {
  readonly limit: number
  readonly offset: number
  readonly cursor?: string | undefined
}

export interface Listed<A> {
  readonly rows: ReadonlyArray<A>
  /** Of all pages. */
  readonly total: number
  /** Rows before this page. */
  readonly before: number
  /** Cursor of the page behind this one; null: nothing is there. */
  readonly next: string | null
}

/** It was not written for this list in this order. */
export class ForeignCursor extends Schema.TaggedError<ForeignCursor>("@matchpoint/store/cs2/ForeignCursor")("ForeignCursor", {}) {}

export interface List<A, I> {
  readonly model: Schema.Codec<A, I>
  readonly order: Order
  /** Tables with their aliases, and the conditions, as after FROM: what is counted, sorted and cut. */
  readonly from: Fragment
  /** The alias in `from` whose row the page keeps for `row` and `joins`. */
  readonly alias: string
  /** Joined to the rows of the page alone. */
  readonly joins?: Fragment | undefined
  /** JSON of the model. */
  readonly row: Fragment
}

/**
 * `from` ends with conditions: `cs2_teams t WHERE true`. Fails with `ForeignCursor` when the cursor is
 * not of this list.
 */
export const readList = <A, I>(
  sql: PgClient.PgClient,
  list: List<A, I>,
  { cursor, limit, offset }: PageWindow,
  operation: { readonly name: string; readonly timeout: Duration.Duration },
): Effect.Effect<Listed<A>, StoreError | ForeignCursor> => {
  const position = cursor === undefined ? undefined : Option.getOrNull(readCursor(list.order, cursor))
  if (position === null) return Effect.fail(new ForeignCursor())
  const order = sql.literal(orderText(list.order))
  const page = sql`
    SELECT ${list.row} AS row, ${sql.literal(valuesText(list.order))} AS values
    FROM (SELECT ${sql.literal(list.alias)}.* FROM ${list.from} ${position === undefined ? sql.literal("") : sql`AND ${behind(sql, list.order, position)}`}
      ORDER BY ${order} LIMIT ${limit + 1} OFFSET ${position === undefined ? offset : 0}) AS ${sql.literal(list.alias)}
    ${list.joins ?? sql.literal("")} ORDER BY ${order}`
  return Effect.gen(function* () {
    const found = yield* Effect.flatMap(page, Schema.decodeUnknownEffect(Schema.Array(pageRow(list.model))))
    const before = position?.before ?? offset
    const rows = found.slice(0, limit)
    const last = found.length > limit ? rows.at(-1) : undefined
    return {
      rows: rows.map(({ row }) => row),
      total: yield* totalOf(sql`SELECT count(*) AS total FROM ${list.from}`),
      before,
      next: last === undefined ? null : writeCursor(list.order, { before: before + rows.length, values: last.values }),
    }
  }).pipe(storeOperation(operation.name, operation.timeout), Effect.withSpan(operation.name))
}

const pageRow = <A, I>(model: Schema.Codec<A, I>) => Schema.Struct({ row: model, values: Schema.Array(Schema.NullOr(Schema.String)) })
