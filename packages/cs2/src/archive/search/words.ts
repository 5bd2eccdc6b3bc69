/** Filters lists by a part of the name. Uses the words of the search index, but not its ranking of results. */
import type { PgClient } from "@effect/sql-pg"
import type { Fragment } from "effect/sql/Statement"
import { handleKey } from "../../rules/archive/names.ts"

/** The index consists of trigrams. A shorter text is searched only at the beginning of words. */
const TRIGRAM = 3

const literally = (text: string): string => text.replace(/[\\%_]/g, "\\$&")

/** `number` is the SQL expression for the entity's number. */
export const named = (sql: PgClient.PgClient, entity: "team" | "player" | "event", number: string, text: string): Fragment => {
  const key = literally(handleKey(text))
  const words = key.length >= TRIGRAM ? sql`words LIKE ${`%${key}%`}` : sql`(words LIKE ${`${key}%`} OR words LIKE ${`% ${key}%`})`
  return sql`${sql.literal(number)} IN (SELECT entity_number FROM cs2_search WHERE entity_type = ${entity} AND ${words})`
}
