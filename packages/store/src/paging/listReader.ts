/** Reads paginated lists from the archives of all games: rows, their total number, and the cursor of the next page. */
import type { PgClient } from "@effect/sql-pg"
import { type Duration, Effect, Option, Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { decodeRows, totalOf } from "../reading.ts"
import { type StoreError, storeOperation } from "../StoreError.ts"
import { behind, type Order, orderText, type Position, readCursor, valuesText, writeCursor } from "./cursor.ts"

/** The page after `cursor` or, without one, the page that begins at `offset` (counted from 0). */
export interface PageWindow {
  readonly limit: number
  readonly offset: number
  readonly cursor?: string | undefined
}

export interface ListPage<A> {
  readonly rows: ReadonlyArray<A>
  /** Rows before this page; for a cursor, as counted while the previous pages were read. */
  readonly before: number
  /** Null on the last page. */
  readonly next: string | null
}

export interface Listed<A> extends ListPage<A> {
  /** Number of rows on all pages. */
  readonly total: number
}

/** The cursor was created for another list or another sort order. */
export class ForeignCursor extends Schema.TaggedError<ForeignCursor>("@matchpoint/store/paging/ForeignCursor")("ForeignCursor", {}) {}

export interface List<A, I> {
  readonly model: Schema.Codec<A, I>
  /** Its expressions stand inside `from` and in the outer query with `joins`, so they may use only table aliases of both. */
  readonly order: Order
  /**
   * What follows FROM: tables with their aliases, and the conditions (such as `cs2_teams t WHERE true`). It selects the
   * rows of the list.
   */
  readonly from: Fragment
  /** Listed table and alias, as in `from` (such as `cs2_teams t`). `key` has the columns of its primary key. */
  readonly of: string
  readonly key: ReadonlyArray<string>
  /** Joins that only `row` and `order` need. They are executed only for the rows of the page. */
  readonly joins?: Fragment | undefined
  /** One row of the list as JSON, which `model` decodes. */
  readonly row: Fragment
}

interface Operation {
  readonly name: string
  readonly timeout: Duration.Duration
}

export const readList = <A, I>(
  sql: PgClient.PgClient,
  list: List<A, I>,
  window: PageWindow,
  operation: Operation,
): Effect.Effect<Listed<A>, StoreError | ForeignCursor> =>
  asOperation(list, window, operation, (position) =>
    Effect.gen(function* () {
      const page = yield* cutPage(sql, list, window, position)
      // On the last page by offset no count query is needed: the total is the rows before the page plus those in it.
      const isEnd = position === undefined && page.next === null && (page.rows.length > 0 || page.before === 0)
      const total = isEnd ? page.before + page.rows.length : yield* totalOf(sql`SELECT count(*) AS total FROM ${list.from}`)
      return { ...page, total }
    }),
  )

/** Page for callers that get the total number of rows elsewhere. */
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
 * Then looks up the rows by these keys, one by one regardless of the planner's estimates, and builds JSON only for them.
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
