/** SQL that keeps the teams of a region: by their region, or by their country where the region is a part of one. */
import type { PgClient } from "@effect/sql-pg"
import { partOfRegion } from "@matchpoint/domain/cs2/archive/regions"
import type { Fragment } from "effect/sql/Statement"

/** `t`: the alias of cs2_teams. A name that is no region keeps nobody. */
export const teamsOfRegion = (sql: PgClient.PgClient, t: string, region: string): Fragment => {
  const part = partOfRegion(region)
  return part === undefined
    ? sql`${sql.literal(`${t}.region`)} = ${region}`
    : sql`${sql.literal(`${t}.country_code`)} IN ${sql.in(part.countries)}`
}
