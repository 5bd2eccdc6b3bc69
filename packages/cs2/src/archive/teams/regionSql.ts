/**
 * SQL condition that selects the teams of a region. If the region is part of a larger one, its teams are selected by
 * their country, otherwise by their region.
 */
import type { PgClient } from "@effect/sql-pg"
import type { Fragment } from "effect/sql/Statement"
import { partOfRegion } from "../../rules/archive/regions.ts"

/**
 * Returns an SQL condition that selects the teams of a region. `t` is the alias of cs2_teams. If the region is unknown,
 * no team is selected.
 */
export const teamsOfRegion = (sql: PgClient.PgClient, t: string, region: string): Fragment => {
  const part = partOfRegion(region)
  return part === undefined
    ? sql`${sql.literal(`${t}.region`)} = ${region}`
    : sql`${sql.literal(`${t}.country_code`)} IN ${sql.in(part.countries)}`
}
