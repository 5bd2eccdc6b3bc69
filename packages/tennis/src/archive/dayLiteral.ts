/**
 * Writes days into SQL texts. Statements are planned without their parameters, and an open range such as `match_date >=
 * $1` would be planned as if it contained a third of all rows.
 */
import type { PgClient } from "@effect/sql-pg"
import type { Fragment } from "effect/sql/Statement"

/** Throws if the text is not a day such as `2024-07-14`. */
export const dayLiteral = (sql: PgClient.PgClient, day: string): Fragment => {
  if (!/^\d{4}-\d{2}-\d{2}$/u.test(day)) throw new Error(`not a day: ${day}`)
  return sql.literal(`date '${day}'`)
}
