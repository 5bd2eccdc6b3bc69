/**
 * A summary is a table that is computed from the archive, so that endpoints need not read many rows. An import computes
 * all summaries again. A new match updates only the rows that it concerns.
 */
import type { PgClient } from "@effect/sql-pg"
import type { Fragment } from "effect/sql/Statement"
import type { Slice } from "./slices.ts"

/** Ids are those of the tables: `atp_103819`, and `2023-580` with its tour. */
export interface ArchiveAddition {
  readonly tour: "atp" | "wta"
  readonly playerIds: ReadonlyArray<string>
  readonly tournamentId: string
  readonly year: number
}

/** How a summary is divided into slices. `nothing`: the table is small and computed as a whole. */
export type SlicedBy = "years" | "players" | "tours" | "nothing"

export interface TennisSummary {
  readonly table: string
  readonly slicedBy: SlicedBy
  /** Run in one transaction, so readers see no partial slice. A statement must take seconds for a usual slice. */
  readonly rebuild: (slice: Slice) => ReadonlyArray<string>
  /** Statements that compute only the rows that an added match concerns, in one transaction. */
  readonly update: (sql: PgClient.PgClient, added: ArchiveAddition) => ReadonlyArray<Fragment>
}
