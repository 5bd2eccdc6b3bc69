/** The one way in which lists of every game's archive are read: a page of rows, how many there are, and where the next page begins. */
import type { PgClient } from "@effect/sql-pg"
import { type Duration, Effect, Option, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { decodeRows, totalOf } from "../reading.ts"
import { type StoreError, storeOperation } from "../StoreError.ts"
import { behind, type Order, orderText, type Position, readCursor, valuesText, writeCursor } from "./cursor.ts"

/** The page behind `cursor`; without one, the one that begins at `offset`, which counts from 0. */
export interface PageWindow {
  readonly limit: number
  readonly offset: number
  readonly cursor?: string | undefined
}

export interface ListPage<A> {
  readonly rows: ReadonlyArray<A>
  /** Rows before this page; behind a cursor: as they were counted on the way. */
  readonly before: number
  /** Cursor of the page behind this one; null: nothing is there. */
  readonly next: string | null
}

export interface Listed<A> extends ListPage<A> {
  /** Of all pages. */
  readonly total: number
}

/** It was not written for this list in this order. */
export class ForeignCursor extends Schema.TaggedError<ForeignCursor>("@matchpoint/store/paging/ForeignCursor")("ForeignCursor", {}) {}

export interface List<A, I> {
  readonly model: Schema.Codec<A, I>
  /** Of aliases that both `from` and `joins` know. */
  readonly order: Order
  /** Tables with their aliases, and conditions, as after FROM (`cs2_teams t WHERE true`): what is counted, sorted and cut. */
  readonly from: Fragment
  /** Whose rows they are: `cs2_teams t`, as in `from`, and the table's key. */
  readonly of: string
  readonly key: ReadonlyArray<string>
  /** What `row` and `order` need besides; joined to the rows of the page alone. */
  readonly joins?: Fragment | undefined
  /** JSON of the model. */
  readonly row: Fragment
}

interface Operation {
  readonly name: string
  readonly timeout: Duration.Duration
}

/** Fails with `ForeignCursor` when the cursor is not of this list. */
export const readList = <A, I>(
  sql: PgClient.PgClient,
  list: List<A, I>,
  window: PageWindow,
  operation: Operation,
): Effect.Effect<Listed<A>, StoreError | ForeignCursor> =>
  asOperation(list, window, operation, (position) =>
    Effect.gen(function* () {
      const page = yield* cutPage(sql, list, window, position)
      // A page that was counted from the first row, and is the last one, tells how many there are.
      const isEnd = position === undefined && page.next === null && (page.rows.length > 0 || page.before === 0)
      const total = isEnd ? page.before + page.rows.length : yield* totalOf(sql`SELECT count(*) AS total FROM ${list.from}`)
      return { ...page, total }
    }),
  )

/** The same without the total, for whom it comes from elsewhere. */
export const readPage = <A, I>(
  sql: PgClient.PgClient,
  list: List<A, I>,
  window: PageWindow,
  operation: Operation,
): Effect.Effect<ListPage<A>, StoreError | ForeignCursor> =>
  asOperation(list, window, operation, (position) => cutPage(sql, list, window, position))

const asOperation = <A>(
  { order }: { readonly order: Order },
  { cursor }: PageWindow,
  { name, timeout }: Operation,
  read: (position: Position | undefined) => Effect.Effect<A, SqlError | Schema.SchemaError>,
): Effect.Effect<A, StoreError | ForeignCursor> => {
  const position = cursor === undefined ? undefined : Option.getOrNull(readCursor(order, cursor))
  return position === null ? Effect.fail(new ForeignCursor()) : read(position).pipe(storeOperation(name, timeout), Effect.withSpan(name))
}

/**
 * Keys are sorted and cut first, in an index where there is one; rows are looked up for the page alone, one by one whatever the planner
 * thinks of the table, and so is their JSON made.
 */
const cutPage = <A, I>(sql: PgClient.PgClient, list: List<A, I>, { limit, offset }: PageWindow, position: Position | undefined) => {
  const { from, joins = sql.literal(""), key, model, of, order, row } = list
  const sorted = sql.literal(orderText(order))
  const alias = of.slice(of.lastIndexOf(" ") + 1)
  const columnsOf = (table: string) => sql.literal(key.map((column) => `${table}.${column}`).join(", "))
  return Effect.map(
    Effect.flatMap(
      sql`
        SELECT ${row} AS row, ${sql.literal(valuesText(order))} AS values
        FROM (SELECT ${columnsOf(alias)}
          FROM ${from} ${position === undefined ? sql.literal("") : sql`AND ${behind(sql, order, position)}`}
          ORDER BY ${sorted} LIMIT ${limit + 1} OFFSET ${position === undefined ? offset : 0}) AS page
        CROSS JOIN LATERAL (SELECT * FROM ${sql.literal(of)} WHERE (${columnsOf(alias)}) = (${columnsOf("page")}) LIMIT 1) AS ${sql.literal(alias)}
        ${joins} ORDER BY ${sorted}`,
      decodeRows(model),
    ),
    (found): ListPage<A> => {
      const before = position?.before ?? offset
      const rows = found.slice(0, limit)
      const last = found.length > limit ? rows.at(-1) : undefined
      return {
        rows: rows.map((each) => each.row),
        before,
        next: last?.values === undefined ? null : writeCursor(order, { before: before + rows.length, values: last.values }),
      }
    },
  )
}
