/**
 * SQL filter for the teams of a region. If the region is part of a larger one, teams are selected by country, otherwise
 * by their region.
 */
import type { PgClient } from "@effect/sql-pg"
import { partOfRegion } from "@matchpoint/domain/cs2/archive/regions"
import type { Fragment } from "effect/sql/Statement"

/** Returns the condition for teams of a region. `t`: alias of cs2_teams. An unknown region matches no team. */
export const teamsOfRegion = (sql: PgClient.PgClient, t: string, region: string): Fragment => {
  const part = partOfRegion(region)
  return part === undefined
    ? sql`${sql.literal(`${t}.region`)} = ${region}`
    : sql`${sql.literal(`${t}.country_code`)} IN ${sql.in(part.countries)}`
}
