/** Lists that are narrowed by a part of a name: the same words that search looks at, without its ranking. */
import type { PgClient } from "@effect/sql-pg"
import { handleKey } from "@matchpoint/domain/cs2/archive/names"
import type { Fragment } from "effect/sql/Statement"

/** Patterns of this length and more are found by their trigrams wherever they stand; shorter ones where a word begins. */
const TRIGRAM = 3

const literally = (text: string): string => text.replace(/[\\%_]/g, "\\$&")

/** Whether the entity `number` (an expression) has `text` in its name. */
export const named = (sql: PgClient.PgClient, entity: "team" | "player" | "event", number: string, text: string): Fragment => {
  const key = literally(handleKey(text))
  const words = key.length >= TRIGRAM ? sql`words LIKE ${`%${key}%`}` : sql`(words LIKE ${`${key}%`} OR words LIKE ${`% ${key}%`})`
  return sql`${sql.literal(number)} IN (SELECT entity_number FROM cs2_search WHERE entity_type = ${entity} AND ${words})`
}
