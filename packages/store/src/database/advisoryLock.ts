/**
 * Advisory locks, through which the processes that use one database exclude each other. A lock protects only the code
 * that acquires it. All locks are listed here except `match_numbers`, which a database function of the migration
 * `0005_matches` acquires.
 */
import type { SqlClient } from "effect/sql"

/**
 * What only one process may do at a time:
 *
 * - `admin`: changes by operators that are recorded in the audit log.
 * - `apex.summaries`: the computation of summaries of the Apex archive.
 * - `archive`: writes to the CS2 archive. Each writer resolves identities from everything written before, and two
 *   writers of the same rows could deadlock.
 * - `cod.summaries`: the computation of the sums of the Call of Duty League.
 * - `cs2.stats`: the computation of one statistics table for one time window.
 * - `key.<hash>`: the registration of one API key secret.
 * - `migrations`: the migrations of the schema.
 * - `tennis.summaries`: the computation of summaries of the tennis archive. Rows are deleted and inserted again, so an
 *   import and a finished live match would insert the same rows.
 */
export type LockName =
  | "admin"
  | "apex.summaries"
  | "archive"
  | "cod.summaries"
  | "cs2.stats"
  | "migrations"
  | "tennis.summaries"
  | `key.${string}`

/**
 * Waits for the lock and holds it until the transaction ends. Must run in a transaction. Names with the same 32-bit hash
 * share one lock.
 */
export const holdUntilCommit = (sql: SqlClient.SqlClient, name: LockName) =>
  sql`SELECT pg_advisory_xact_lock(hashtext(${`matchpoint.${name}`}))`
