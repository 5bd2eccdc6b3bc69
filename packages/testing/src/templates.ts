/**
 * Creates the template databases that tests copy. `test/setup` creates both templates before the tests run and passes
 * their names to the tests. The embedded template is a file that is reused until a migration or PGlite changes. The
 * PostgreSQL template is a database that is dropped after the test run.
 */
import { createHash, randomUUID } from "node:crypto"
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { PGlite } from "@electric-sql/pglite"
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm"
import { Migrations } from "@matchpoint/games/Migrations"
import { Embedded } from "@matchpoint/store/database/Embedded"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { temporaryDirectory } from "./temporaryDirectory.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** Path of a dump of an embedded database with the schema of this version. */
    embeddedTemplate: string
    /** Name of a PostgreSQL database with the schema of this version. Null if there is no PostgreSQL server. */
    postgresTemplate: string | null
  }
}

/**
 * Returns the path of the embedded template in `folder`. If there is none for the current schema, creates it, which
 * takes about five seconds.
 */
export const embeddedTemplate = async (folder: string): Promise<string> => {
  const file = join(folder, `embedded-${versionOfSchema()}.tar`)
  if (existsSync(file)) return file
  const dump = await Effect.runPromise(Effect.scoped(dumpOfSchema))
  mkdirSync(folder, { recursive: true })
  const unfinished = `${file}.${randomUUID()}`
  writeFileSync(unfinished, dump)
  // Two test runs may create the template at the same time. This is not a problem, because renaming is atomic: each of
  // them puts a complete file in place.
  renameSync(unfinished, file)
  return file
}

/** Returns a hash that identifies the schema. It changes with every migration, every version of PGlite and this file. */
const versionOfSchema = (): string => {
  const hash = createHash("sha256")
  const packages = fileURLToPath(new URL("../..", import.meta.url))
  for (const path of globSync("{store/src/{migrations/**,database/*},*/src/archive/{migrations/**,*Ledger}}.ts", { cwd: packages }).sort())
    hash.update(readFileSync(join(packages, path)))
  for (const path of ["../../../pnpm-workspace.yaml", "./templates.ts"])
    hash.update(readFileSync(fileURLToPath(new URL(path, import.meta.url))))
  return hash.digest("hex").slice(0, 16)
}

const dumpOfSchema = Effect.gen(function* () {
  const directory = yield* temporaryDirectory
  yield* Migrations.run.pipe(Effect.provide(Embedded.layer({ directory })))
  return yield* Effect.promise(async () => {
    // The driver keeps the database in a folder of its directory, beside its lock.
    const database = await PGlite.create({ dataDir: join(directory, "data"), extensions: { pg_trgm } })
    // Fails if this is not the migrated database.
    await database.query("SELECT FROM matchpoint_migrations")
    const dump = await database.dumpDataDir("none")
    await database.close()
    return new Uint8Array(await dump.arrayBuffer())
  })
})

/** Creates the PostgreSQL template database on the server of `url`. Returns its name and a function that drops it. */
export const postgresTemplate = async (url: string): Promise<{ readonly name: string; readonly drop: () => Promise<void> }> => {
  const name = `matchpoint_template_${randomUUID().replaceAll("-", "")}`
  const execute = (statement: string) =>
    Effect.runPromise(
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)).pipe(
        Effect.provide(Postgres.layer({ url: Redacted.make(url), maxConnections: 1 })),
      ),
    )
  await execute(`CREATE DATABASE ${name}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  await Effect.runPromise(Migrations.run.pipe(Effect.provide(Postgres.layer({ url: Redacted.make(own.href), maxConnections: 1 }))))
  return { name, drop: () => execute(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`).then(() => undefined) }
}
