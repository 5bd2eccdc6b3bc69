/**
 * Reads paginated lists from the archives of all games in the same way: a page of rows, the total number of rows, and
 * the cursor of the next page.
 */
import type { PgClient } from "@effect/sql-pg"
import { type Duration, Effect, Option, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { decodeRows, totalOf } from "../reading.ts"
import { type StoreError, storeOperation } from "../StoreError.ts"
import { behind, type Order, orderText, type Position, readCursor, valuesText, writeCursor } from "./cursor.ts"

/**
 * Selects a page of a list: the page after `cursor` or, if no cursor is given, the page that begins at `offset`
 * (counted from 0).
 */
export interface PageWindow {
  readonly limit: number
  readonly offset: number
  readonly cursor?: string | undefined
}

export interface ListPage<A> {
  readonly rows: ReadonlyArray<A>
  /**
   * Number of rows before this page. If the page was requested by cursor, this is the number of rows counted while the
   * previous pages were read.
   */
  readonly before: number
  /** Cursor of the next page. Null on the last page. */
  readonly next: string | null
}

export interface Listed<A> extends ListPage<A> {
  /** Number of rows on all pages. */
  readonly total: number
}

/** Raised if the given cursor was created for another list or another sort order. */
export class ForeignCursor extends Schema.TaggedError<ForeignCursor>("@matchpoint/store/paging/ForeignCursor")("ForeignCursor", {}) {}

export interface List<A, I> {
  readonly model: Schema.Codec<A, I>
  /**
   * Sort order of the rows. Its expressions are used in two places, inside `from` and in the outer query together with
   * `joins`, so they may use only table aliases that are available in both.
   */
  readonly order: Order
  /**
   * SQL that follows FROM: tables with their aliases, and the conditions (such as `cs2_teams t WHERE true`). The rows
   * that it selects are the rows of the list: they are counted, sorted and split into pages.
   */
  readonly from: Fragment
  /**
   * Name and alias of the listed table, as in `from` (such as `cs2_teams t`). `key` contains the names of its primary
   * key columns.
   */
  readonly of: string
  readonly key: ReadonlyArray<string>
  /** SQL joins that only `row` and `order` need. They are executed only for the rows of the page. */
  readonly joins?: Fragment | undefined
  /** SQL expression that builds one row of the list as JSON. `model` decodes this JSON. */
  readonly row: Fragment
}

interface Operation {
  readonly name: string
  readonly timeout: Duration.Duration
}

/** Reads a page and the total number of rows. Fails with `ForeignCursor` if the cursor was created for another list. */
export const readList = <A, I>(
  sql: PgClient.PgClient,
  list: List<A, I>,
  window: PageWindow,
  operation: Operation,
): Effect.Effect<Listed<A>, StoreError | ForeignCursor> =>
  asOperation(list, window, operation, (position) =>
    Effect.gen(function* () {
      const page = yield* cutPage(sql, list, window, position)
      // If the page was requested by offset and is the last one, no count query is needed: the total is the number of
      // rows before the page plus the number of rows in it.
      const isEnd = position === undefined && page.next === null && (page.rows.length > 0 || page.before === 0)
      const total = isEnd ? page.before + page.rows.length : yield* totalOf(sql`SELECT count(*) AS total FROM ${list.from}`)
      return { ...page, total }
    }),
  )

/** Reads a page without the total number of rows, for callers that get this number elsewhere. */
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
 * Reads a page in two steps. First sorts the primary keys and selects those of the page, using an index if possible.
 * Then looks up the rows of the page by these keys, one by one regardless of the planner's estimates, and builds JSON
 * for these rows only.
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
