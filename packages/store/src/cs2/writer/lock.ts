/**
 * Ensures that only one process writes to the archive at a time. There are two reasons: each writer decides which
 * entity a name belongs to based on everything written before, and two writers that update the same rows could
 * deadlock.
 */
import type { SqlClient } from "effect/sql"

/**
 * Acquires the archive lock and holds it until the transaction ends. All writers, of live matches and of imports, wait
 * for this lock.
 */
export const lockArchive = (sql: SqlClient.SqlClient) => sql`SELECT pg_advisory_xact_lock(hashtext('matchpoint.archive'))`
