import type { PgClient } from "@effect/sql-pg"
import type { Fragment } from "effect/sql/Statement"
import { partOfRegion } from "../../rules/archive/regions.ts"

/**
 * True for the teams of a region: by country if it is part of a larger region. `t` is the alias of cs2_teams. An
 * unknown region selects no team.
 */
export const teamsOfRegion = (sql: PgClient.PgClient, t: string, region: string): Fragment => {
  const part = partOfRegion(region)
  return part === undefined
    ? sql`${sql.literal(`${t}.region`)} = ${region}`
    : sql`${sql.literal(`${t}.country_code`)} IN ${sql.in(part.countries)}`
}
