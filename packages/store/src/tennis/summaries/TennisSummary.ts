/**
 * A summary: a table that is computed from the archive, so that endpoints need not read many rows. An import rebuilds
 * all summaries. A single new match updates only the rows that it concerns.
 */
import type { PgClient } from "@effect/sql-pg"
import type { Fragment } from "effect/sql/Statement"

/** What was added to the archive. Ids are those of the tables: `atp_103819`, and `2023-580` with its tour. */
export interface ArchiveAddition {
  readonly tour: "atp" | "wta"
  readonly playerIds: ReadonlyArray<string>
  readonly tournamentId: string
  /** Year of the match. */
  readonly year: number
}

export interface TennisSummary {
  readonly table: string
  /** SQL statements that compute the whole table again. They run in one transaction, so readers see no partial state. */
  readonly rebuild: ReadonlyArray<string>
  /** SQL statements that compute only the rows that an added match concerns, in one transaction. */
  readonly update: (sql: PgClient.PgClient, added: ArchiveAddition) => ReadonlyArray<Fragment>
}
