// Owns the choice of the measured database: the given one, or one created for the measurement, into which recorded data
// is imported.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import pg from "pg"
import type { Flags } from "./flags.ts"

/** The database is kept for the next run. */
const OWN_DATABASE = "matchpoint_bench_api"
const OWN_DIRECTORY = ".data/bench-api"

const root = fileURLToPath(new URL("../../..", import.meta.url))

export interface FullDatabase {
  /** Null: the embedded database in `directory`. */
  readonly url: string | null
  readonly directory: string
}

/** Importing the same data again takes seconds, because unchanged files are skipped. */
export const fullDatabase = async (flags: Flags): Promise<FullDatabase> => {
  const directory = resolve(root, OWN_DIRECTORY)
  if (flags.database !== undefined) return { url: flags.database, directory }
  const data = resolve(root, flags.data ?? "../shared/data")
  if (!existsSync(data)) {
    throw new Error(
      `There is no data to import in ${data}. Give --data <folder>, or --database <url> of a database with all data imported.`,
    )
  }
  if (flags.embedded) {
    await importAll(data, ["--data", directory])
    return { url: null, directory: `${directory}/database` }
  }
  const url = await ownDatabase(flags.postgres)
  await importAll(data, ["--database", url])
  return { url, directory }
}

const ownDatabase = async (postgres: string): Promise<string> => {
  const admin = new pg.Client({ connectionString: postgres, connectionTimeoutMillis: 5_000 })
  await admin.connect().catch((cause) => {
    throw new Error(`There is no PostgreSQL at ${new URL(postgres).host}. Give --postgres <url>, --database <url> or --embedded.`, {
      cause,
    })
  })
  try {
    const { rowCount } = await admin.query("SELECT FROM pg_database WHERE datname = $1", [OWN_DATABASE])
    if (rowCount === 0) await admin.query(`CREATE DATABASE ${OWN_DATABASE}`)
  } finally {
    await admin.end()
  }
  const own = new URL(postgres)
  own.pathname = `/${OWN_DATABASE}`
  return own.href
}

/** The recorded files of the leagues lack much of what the simulated seasons have, so these are measured. */
const importAll = async (data: string, where: ReadonlyArray<string>): Promise<void> => {
  const rejects = resolve(root, OWN_DIRECTORY, "rejects.ndjson")
  await run(["services/feed/src/import.ts", "cs2", "all", data, ...where, "--rejects", rejects])
  await run(["test/load/api/writeLeagues.ts", ...where])
}

const run = async (args: ReadonlyArray<string>): Promise<void> => {
  // Its progress goes to stderr, because stdout is for the result.
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", process.stderr, "inherit"] })
  const [code] = await once(child, "exit")
  if (code !== 0) throw new Error(`${args[0]} exited with code ${code}`)
}
