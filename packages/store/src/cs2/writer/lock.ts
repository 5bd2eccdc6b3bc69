/** One writer at a time: who is who is decided by what all before have written, and two that write the same rows would wait for each other. */
import type { SqlClient } from "effect/sql"

/** Held until the transaction ends; live matches and imports wait for it. */
export const lockArchive = (sql: SqlClient.SqlClient) => sql`SELECT pg_advisory_xact_lock(hashtext('matchpoint.archive'))`
