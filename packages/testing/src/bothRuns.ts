/**
 * Helpers for test suites named `*.both.test.ts`, which run both in `npm test` and in `npm run test:full`. `npm test`
 * uses the embedded database and few random seeds. `npm run test:full` uses PostgreSQL and many seeds.
 */
import { describe, inject, it } from "vitest"
import { embeddedMemory, postgresDatabase } from "./databases.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** True in `npm run test:full`. */
    readonly full: boolean
  }
}

/** Layer that provides a test database, either embedded (PGlite) or on a PostgreSQL server. */
export type AnyDatabase = typeof embeddedMemory | ReturnType<typeof postgresDatabase>

/** Returns `quick` in `npm test`, `full` in `npm run test:full`. */
export const inRun = <A>(quick: A, full: A): A => (inject("full") ? full : quick)

/** Registers `suite` for the database of the current run. Without a PostgreSQL server, the full run skips it. */
export const onDatabaseOfRun = (suite: (name: string, database: AnyDatabase) => void): void => {
  const url = inject("databaseUrl")
  if (!inject("full")) suite("PGlite", embeddedMemory)
  else if (url !== null) suite("PostgreSQL", postgresDatabase(url))
  else describe("PostgreSQL", () => it.skip("needs a PostgreSQL server: set DATABASE_URL to a database whose user may create databases"))
}
