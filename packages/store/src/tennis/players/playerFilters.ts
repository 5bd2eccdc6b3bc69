/** SQL conditions and sort orders of lists of players. */
import type { PgClient } from "@effect/sql-pg"
import { searchWords } from "@matchpoint/domain/tennis/archive/playerNames"
import type { Fragment } from "effect/sql/Statement"
import type { Order } from "../../paging/cursor.ts"

const literally = (text: string): string => text.replace(/[\\%_]/gu, "\\$&")

/** Returns a condition on `words`: every word of the text begins a word of the name. Nothing fits a text without words. */
export const nameBegins = (sql: PgClient.PgClient, text: ReadonlyArray<string>): Fragment =>
  text.length === 0
    ? sql.literal("false")
    : sql.and(text.map((word) => sql`(words LIKE ${`${literally(word)}%`} OR words LIKE ${`% ${literally(word)}%`})`))

/** Returns a condition on `p.player_id`: the name has words that begin with the words of `text`. */
export const named = (sql: PgClient.PgClient, text: string): Fragment =>
  // OFFSET 0 makes PostgreSQL search the names by their index, instead of checking each player in the order of the list.
  sql`p.player_id IN (SELECT player_id FROM tennis_player_summaries WHERE ${nameBegins(sql, searchWords(text))} OFFSET 0)`

const last = (descending: boolean) => ({ of: "p.player_id", type: "text", descending }) as const

export const playerOrders = {
  fame: { name: "tennis-players-fame", keys: [{ of: "p.fame", type: "bigint", descending: true }, last(true)] },
  matches: { name: "tennis-players-matches", keys: [{ of: "p.matches", type: "bigint", descending: true }, last(true)] },
  name: { name: "tennis-players-name", keys: [{ of: "p.words", type: "text" }, last(false)] },
  rank: { name: "tennis-players-rank", keys: [{ of: "p.rank_order", type: "bigint" }, last(false)] },
} as const satisfies Readonly<Record<string, Order>>
