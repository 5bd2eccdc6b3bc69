/**
 * Locks between the processes of one database. A lock protects no row or table, only the code that takes it. The list of
 * names is complete, except for `match_numbers`, which a trigger of the migration `0005_matches` takes.
 */
import type { SqlClient } from "effect/sql"

/**
 * - `admin`: recorded changes of operators.
 * - `archive`: writes to the CS2 archive. Each writer resolves identities from everything written before, and two
 *   writers of the same rows could deadlock. Live matches and imports wait for it.
 * - `cs2.stats`: one table and window of the statistics.
 * - `key.<hash>`: registering one secret.
 * - `migrations`: the migrations of the schema.
 */
export type LockName = "admin" | "archive" | "cs2.stats" | "migrations" | `key.${string}`

/**
 * Waits for the lock and holds it until the transaction ends. Must run in a transaction. Two names may share a lock by
 * chance (32 bits of hash): they then wait for each other.
 */
export const holdUntilCommit = (sql: SqlClient.SqlClient, name: LockName) =>
  sql`SELECT pg_advisory_xact_lock(hashtext(${`matchpoint.${name}`}))`
