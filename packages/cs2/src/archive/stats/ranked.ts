/**
 * Reads a page of a ranked list of statistics. To save work, rows are computed, filtered, ranked and limited to one
 * page before they are joined with names.
 */
import type { PgClient } from "@effect/sql-pg"
import { Counter } from "@matchpoint/store/Counter"
import { totalOf } from "@matchpoint/store/reading"
import { Effect, Schema } from "effect"
import type { Fragment } from "effect/sql/Statement"
import type { Rows } from "../matches/MatchArchive.ts"
import { measured, type StatsTable } from "./measured.ts"
import { isKept, type StatsWindow } from "./window.ts"

export interface StatsPage {
  readonly window: StatsWindow
  readonly limit: number
  readonly offset: number
}

export interface StatsRows<A> extends Rows<A> {
  /** True if the window has data for this list. `rows` may still be empty: by the caller's filter or past the end. */
  readonly indexed: boolean
}

export interface Ranking<A, I> {
  readonly model: Schema.Codec<A, I>
  readonly table: StatsTable
  /** SQL expression for the JSON of one list entry, from the statistics row `m` and the tables in `joins`. */
  readonly row: string
  readonly joins: string
  /** ORDER BY expressions for the statistics rows `m`. The last one must be unique. */
  readonly order: string
  /** Condition for a statistics row to be part of this list at all, in addition to the caller's filter. */
  readonly condition: string
}

export const PLAYER_JOINS = `
  JOIN cs2_players p ON p.player_number = m.player_number JOIN cs2_teams t ON t.team_number = m.team_number`
export const TEAM_JOINS = "JOIN cs2_teams t ON t.team_number = m.team_number"

const decodeIndexed = Schema.decodeUnknownEffect(Schema.NonEmptyArray(Schema.Struct({ indexed: Schema.Boolean })))

/**
 * `minimum` is the caller's condition on the statistics rows `m`. If the time window is not precomputed, rows are
 * computed once and counted in the same pass. Otherwise page and count are read separately, each from its own index.
 */
export const ranked = <A, I>(sql: PgClient.PgClient, { joins, model, order, row, table, condition }: Ranking<A, I>) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ row: model, total: Counter })))
  return Effect.fnUntraced(function* ({ limit, offset, window }: StatsPage, minimum: Fragment = sql`true`) {
    const of = sql`FROM ${measured(sql, table, window)} m WHERE ${sql.literal(condition)}`
    const counted = isKept(window) ? sql`(SELECT count(*) ${of} AND ${minimum})` : sql`count(*) OVER ()`
    const page = yield* Effect.flatMap(
      sql`
        SELECT ${sql.literal(row)} AS row, m.total
        FROM (SELECT m.*, ${counted} AS total ${of} AND ${minimum} ORDER BY ${sql.literal(order)} LIMIT ${limit} OFFSET ${offset}) m
        ${sql.literal(joins)} ORDER BY ${sql.literal(order)}`,
      decode,
    )
    const [first] = page
    if (first !== undefined) return { rows: page.map((each) => each.row), total: first.total, indexed: true } satisfies StatsRows<A>
    // The page has no rows: either it is beyond the end of the list, or the list is empty.
    const total = offset === 0 ? 0 : yield* totalOf(sql`SELECT count(*) AS total ${of} AND ${minimum}`)
    if (total > 0) return { rows: [], total, indexed: true } satisfies StatsRows<A>
    const [{ indexed }] = yield* Effect.flatMap(sql`SELECT EXISTS (SELECT ${of}) AS indexed`, decodeIndexed)
    return { rows: [], total, indexed } satisfies StatsRows<A>
  })
}
