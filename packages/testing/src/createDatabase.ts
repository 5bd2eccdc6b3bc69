/**
 * Creates test databases on a PostgreSQL server. Unlike `databases.ts`, this module also works outside of a Vitest run.
 */
import { randomUUID } from "node:crypto"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Creates a database on the PostgreSQL server of `url`, and drops it when the scope closes. Returns the URL of the new
 * database. `template` is the name of the database to copy. If it is null, the new database is empty.
 */
export const createDatabase = Effect.fnUntraced(function* (url: string, template: string | null) {
  const admin = yield* Layer.build(Postgres.layer({ url: Redacted.make(url), maxConnections: 1 }))
  const name = `matchpoint_test_${randomUUID().replaceAll("-", "")}`
  const execute = (statement: string) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)).pipe(Effect.provideContext(admin))
  yield* Effect.acquireRelease(execute(`CREATE DATABASE ${name}${template === null ? "" : ` TEMPLATE ${template}`}`), () =>
    Effect.orDie(execute(`DROP DATABASE ${name} WITH (FORCE)`)),
  )
  const own = new URL(url)
  own.pathname = `/${name}`
  return Redacted.make(own.href)
})
