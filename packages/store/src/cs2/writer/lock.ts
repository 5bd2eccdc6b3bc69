/**
 * Ensures that only one process writes to the archive at a time. Each writer resolves identities based on everything
 * written before, and two writers that update the same rows could deadlock.
 */
import type { SqlClient } from "effect/sql"

/** Takes the archive lock, which is held until the transaction ends. Live matches and imports wait for it. */
export const lockArchive = (sql: SqlClient.SqlClient) => sql`SELECT pg_advisory_xact_lock(hashtext('matchpoint.archive'))`
