/** SQL conditions and sort orders of lists of players. */
import type { PgClient } from "@effect/sql-pg"
import type { Fragment } from "effect/sql/Statement"
import type { Order } from "../../paging/cursor.ts"

const literally = (text: string): string => text.replace(/[\\%_]/gu, "\\$&")

/**
 * Returns a subselect of the players whose name has words that begin with the words of a text. OFFSET 0 makes PostgreSQL
 * search the names by their index. Otherwise it may read all players in the order of the list, because it plans the
 * statement without knowing the text.
 */
export const playersNamed = (sql: PgClient.PgClient, text: ReadonlyArray<string>): Fragment =>
  sql`(SELECT * FROM tennis_player_summaries WHERE ${nameBegins(sql, text)} OFFSET 0)`

/** Returns a condition on `words`: every word of the text begins a word of the name. Nothing fits a text without words. */
export const nameBegins = (sql: PgClient.PgClient, text: ReadonlyArray<string>): Fragment =>
  text.length === 0
    ? sql.literal("false")
    : sql.and(text.map((word) => sql`(words LIKE ${`${literally(word)}%`} OR words LIKE ${`% ${literally(word)}%`})`))

const last = (descending: boolean) => ({ of: "p.player_id", type: "text", descending }) as const

export const playerOrders = {
  fame: { name: "tennis-players-fame", keys: [{ of: "p.fame", type: "bigint", descending: true }, last(true)] },
  matches: { name: "tennis-players-matches", keys: [{ of: "p.matches", type: "bigint", descending: true }, last(true)] },
  name: { name: "tennis-players-name", keys: [{ of: "p.words", type: "text" }, last(false)] },
  rank: { name: "tennis-players-rank", keys: [{ of: "p.rank_order", type: "bigint" }, last(false)] },
} as const satisfies Readonly<Record<string, Order>>
