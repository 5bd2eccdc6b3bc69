// Owns the CPU time that PostgreSQL uses for our server: the time of its sessions, if they run on this machine.
import { readFileSync } from "node:fs"
import { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"

const decodePids = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ pid: Schema.Int })))

/**
 * CPU time of the sessions since they started, in microseconds with a resolution of 10 ms each. Null if the kernel does
 * not report it.
 */
export const sessionsCpuUs = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const rows = yield* Effect.flatMap(
    sql`SELECT pid FROM pg_stat_activity WHERE application_name = 'matchpoint' AND datname = current_database()`,
    decodePids,
  )
  for (const { pid } of rows) {
    const cpuUs = cpuUsOf(pid)
    if (cpuUs !== undefined) seen.set(pid, cpuUs)
  }
  return seen.size === 0 ? null : [...seen.values()].reduce((sum, cpuUs) => sum + cpuUs, 0)
})

/** CPU time by session. Includes sessions that the pool has closed since. */
const seen = new Map<number, number>()

/** Linux counts in hundredths of a second. */
const TICK_US = 10_000

/** Undefined if the process does not run here or has ended. */
const cpuUsOf = (pid: number): number | undefined => {
  try {
    // Fields after the name, which may contain any character: state is the first field, user and system time are the
    // twelfth and thirteenth.
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? []
    return (Number(fields[11]) + Number(fields[12])) * TICK_US
  } catch {
    return undefined
  }
}
