/** A page of rankings in one step. `listReader`, with a look-up per row, would double the cost on this large table. */
import type { PgClient } from "@effect/sql-pg"
import { behind, type Order, orderText, readCursor, valuesText, writeCursor } from "@matchpoint/store/paging/cursor"
import { ForeignCursor, type ListPage, type PageWindow } from "@matchpoint/store/paging/listReader"
import { decodeRows } from "@matchpoint/store/reading"
import { type StoreError, storeOperation } from "@matchpoint/store/StoreError"
import { type Duration, Effect, Option, type Schema } from "effect"
import type { Fragment } from "effect/sql/Statement"

interface RankingRows<A, I> {
  readonly model: Schema.Codec<A, I>
  readonly order: Order
  /** Condition for the rankings `r` of the list. */
  readonly where: Fragment
  /** Joins of the rows of a page. */
  readonly joins: Fragment
  readonly row: Fragment
}

/** Fails with `ForeignCursor` if the cursor belongs to another list. */
export const readRankings = <A, I>(
  sql: PgClient.PgClient,
  { joins, model, order, row, where }: RankingRows<A, I>,
  { cursor, limit, offset }: PageWindow,
  operation: { readonly name: string; readonly timeout: Duration.Duration },
): Effect.Effect<ListPage<A>, StoreError | ForeignCursor> => {
  const position = cursor === undefined ? undefined : Option.getOrNull(readCursor(order, cursor))
  if (position === null) return Effect.fail(new ForeignCursor())
  const sorted = sql.literal(orderText(order))
  return sql`
    SELECT ${row} AS row, ${sql.literal(valuesText(order))} AS values
    FROM (SELECT * FROM tennis_rankings r WHERE ${where} ${position === undefined ? sql`` : sql`AND ${behind(sql, order, position)}`}
      ORDER BY ${sorted} LIMIT ${limit + 1} OFFSET ${position === undefined ? offset : 0}) r
    ${joins} ORDER BY ${sorted}`.pipe(
    Effect.flatMap(decodeRows(model)),
    Effect.map((found) => {
      const before = position?.before ?? offset
      const last = found.length > limit ? found[limit - 1] : undefined
      return {
        rows: found.slice(0, limit).map((each) => each.row),
        before,
        next: last?.values === undefined ? null : writeCursor(order, { before: before + limit, values: last.values }),
      }
    }),
    storeOperation(operation.name, operation.timeout),
    Effect.withSpan(operation.name),
  )
}
