// Owns the measured imports: the files, an empty database for each, and their removal.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import { nodeFlags } from "../../../infra/nodeFlags.mjs"
import { receive, start, stop } from "../lib/child.ts"
import { writeArchive } from "./archiveFiles.ts"
import type { Flags } from "./flags.ts"
import type { ImportOrder, ImportSpeed } from "./importSpeed.ts"

const TIMEOUT_MS = 30 * 60_000

export interface Imports {
  readonly postgres: ImportSpeed
  readonly embedded: ImportSpeed | null
  /** The PostgreSQL database with the imported rows. */
  readonly url: string
}

/** Measures the imports, then runs `use`, and finally removes the databases. */
export const withImports = async <A>(flags: Flags, use: (imports: Imports) => Promise<A>): Promise<A> => {
  const directory = mkdtempSync(join(tmpdir(), "matchpoint-bench-tennis-"))
  const name = `matchpoint_bench_tennis_${process.pid}`
  const admin = new pg.Client({ connectionString: flags.postgres, connectionTimeoutMillis: 5_000 })
  await admin.connect()
  try {
    const folder = flags.data ?? join(directory, "archive")
    if (flags.data === undefined) writeArchive(folder, flags.rows, flags.seed)
    await admin.query(`CREATE DATABASE ${name}`)
    const url = new URL(flags.postgres)
    url.pathname = `/${name}`
    const postgres = await measured({ folder, url: url.href, directory })
    const embedded = flags.embedded ? await measured({ folder, url: null, directory: join(directory, "embedded") }) : null
    return await use({ postgres, embedded, url: url.href })
  } finally {
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
    await admin.end()
    rmSync(directory, { recursive: true, force: true })
  }
}

const measured = async (order: ImportOrder): Promise<ImportSpeed> => {
  const child = start(new URL("importSpeed.ts", import.meta.url), [JSON.stringify(order)], nodeFlags)
  try {
    const speed = await receive<ImportSpeed>(child, TIMEOUT_MS)
    process.stderr.write(`import into ${order.url === null ? "PGlite" : "PostgreSQL"}: ${speed.matchRowsPerSecond} match rows/s\n`)
    return speed
  } finally {
    await stop(child)
  }
}
