// Owns the CPU time of PostgreSQL for one server of ours: of its sessions, where they run on this machine.
import { readFileSync } from "node:fs"
import { PgClient } from "@effect/sql-pg"
import { Effect, Schema } from "effect"

const decodePids = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({ pid: Schema.Int })))

/** Since the sessions began, microseconds, to the next 10 ms each; null where the kernel does not tell. */
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

/** By session: those that the pool has closed meanwhile have worked, too. */
const seen = new Map<number, number>()

/** Linux counts in hundredths of a second. */
const TICK_US = 10_000

/** Undefined: not here, or gone. */
const cpuUsOf = (pid: number): number | undefined => {
  try {
    // Behind the name, which may hold anything: state is the first field, user and system time the twelfth and thirteenth.
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ") ?? []
    return (Number(fields[11]) + Number(fields[12])) * TICK_US
  } catch {
    return undefined
  }
}
