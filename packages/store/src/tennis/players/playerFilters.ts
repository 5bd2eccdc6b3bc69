/** SQL conditions and sort orders of lists of players. */
import type { PgClient } from "@effect/sql-pg"
import type { Fragment } from "effect/sql/Statement"
import type { Order } from "../../paging/cursor.ts"

const literally = (text: string): string => text.replace(/[\\%_]/gu, "\\$&")

/**
 * Returns a subselect of the players whose name has words that begin with the words of a text. The longest word is
 * searched by the index of names.
 */
export const playersNamed = (sql: PgClient.PgClient, text: ReadonlyArray<string>): Fragment => {
  const longest = text.toSorted((one, other) => other.length - one.length)[0] ?? ""
  const begun = `${literally(longest)}%`
  return sql`(SELECT * FROM tennis_players_named(${begun}, ${`% ${begun}`}) AS named WHERE ${nameBegins(sql, text)} OFFSET 0)`
}

/** Returns a subselect of the players whose whole name, or last words of it, are the text. */
export const playersCalled = (sql: PgClient.PgClient, text: string): Fragment =>
  sql`tennis_players_named(${literally(text)}, ${`% ${literally(text)}`})`

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
