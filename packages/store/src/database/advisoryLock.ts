/**
 * Advisory locks, through which the processes that use one database exclude each other. A lock protects only the code
 * that acquires it. Not listed here: `match_numbers`, which a database function of the migration `0005_matches` acquires.
 */
import type { SqlClient } from "effect/sql"

/**
 * What only one process may do at a time:
 *
 * - `admin`: changes by operators that are recorded in the audit log.
 * - `archive`: writes to the archive of CS2 (imports and live matches), under the name from before there were other
 *   games. Two writers of the same rows could deadlock.
 * - `key.<hash>`: the registration of one API key secret.
 * - `migrations`: the migrations of the schema.
 * - `<game>.<work>`: work on the archive of a game.
 */
export type LockName = "admin" | "archive" | "migrations" | `${string}.${string}`

/**
 * Waits for the lock and holds it until the transaction ends. Must run in a transaction. Names with the same 32-bit hash
 * share one lock.
 */
export const holdUntilCommit = (sql: SqlClient.SqlClient, name: LockName) =>
  sql`SELECT pg_advisory_xact_lock(hashtext(${`matchpoint.${name}`}))`
