/** How a list of statistics is read: measured, filtered, ranked and cut first; names are joined to the rows of the page alone. */
import type { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"
import type { Fragment } from "effect/sql/Statement"
import { Counter } from "../../Counter.ts"
import { totalOf } from "../../reading.ts"
import type { Rows } from "../matches/MatchArchive.ts"
import { measured, type StatsTable } from "./measured.ts"
import { isKept, type StatsWindow } from "./window.ts"

export interface StatsPage {
  readonly window: StatsWindow
  readonly limit: number
  readonly offset: number
}

export interface StatsRows<A> extends Rows<A> {
  /** Whether the window tells anything of this kind, however little; false: `rows` is empty for want of data, not of a match. */
  readonly indexed: boolean
}

export interface Ranking<A, I> {
  readonly model: Schema.Codec<A, I>
  readonly table: StatsTable
  /** JSON of the model, of `m` and what `joins` adds. */
  readonly row: string
  readonly joins: string
  /** Of `m`, with a tie-breaker. */
  readonly order: string
  /** What a row must have to be in this list at all. */
  readonly told: string
}

/** Joins of rows that have a player and a team. */
export const PLAYER_JOINS = `
  JOIN cs2_players p ON p.player_number = m.player_number JOIN cs2_teams t ON t.team_number = m.team_number`
export const TEAM_JOINS = "JOIN cs2_teams t ON t.team_number = m.team_number"

const decodeIndexed = Schema.decodeUnknownEffect(Schema.NonEmptyArray(Schema.Struct({ indexed: Schema.Boolean })))

/**
 * `minimum`: what the caller leaves out; of `m`. What is computed while the caller waits is computed once, and counted as it passes; of a
 * kept window the page and the count have indices of their own.
 */
export const ranked = <A, I>(sql: PgClient.PgClient, { joins, model, order, row, table, told }: Ranking<A, I>) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ row: model, total: Counter })))
  return Effect.fnUntraced(function* ({ limit, offset, window }: StatsPage, minimum: Fragment = sql`true`) {
    const of = sql`FROM ${measured(sql, table, window)} m WHERE ${sql.literal(told)}`
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
    // Behind the last row, or there is none.
    const total = offset === 0 ? 0 : yield* totalOf(sql`SELECT count(*) AS total ${of} AND ${minimum}`)
    if (total > 0) return { rows: [], total, indexed: true } satisfies StatsRows<A>
    const [{ indexed }] = yield* Effect.flatMap(sql`SELECT EXISTS (SELECT ${of}) AS indexed`, decodeIndexed)
    return { rows: [], total, indexed } satisfies StatsRows<A>
  })
}
