/**
 * Allows one archive writer at a time. Each writer resolves identities from everything written before, and two writers
 * of the same rows could deadlock.
 */
import type { SqlClient } from "effect/sql"

/** Takes the archive lock, which is held until the transaction ends. Live matches and imports wait for it. */
export const lockArchive = (sql: SqlClient.SqlClient) => sql`SELECT pg_advisory_xact_lock(hashtext('matchpoint.archive'))`
