/** SQL conditions and sort orders of lists of players. */
import type { PgClient } from "@effect/sql-pg"
import type { Fragment } from "effect/sql/Statement"
import type { Order } from "../../paging/cursor.ts"

const literally = (text: string): string => text.replace(/[\\%_]/gu, "\\$&")

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
