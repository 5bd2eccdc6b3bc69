/** Creates a temporary PostgreSQL database on the server of `url` and drops it when the scope closes. */
import { randomUUID } from "node:crypto"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"

export const temporaryPostgres = (url: string) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const admin = yield* Layer.build(Postgres.layer({ url: Redacted.make(url), maxConnections: 1 }))
      const name = `matchpoint_match_${randomUUID().replaceAll("-", "")}`
      const execute = (statement: string) =>
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)).pipe(Effect.provideContext(admin))
      yield* Effect.acquireRelease(execute(`CREATE DATABASE ${name}`), () => Effect.orDie(execute(`DROP DATABASE ${name} WITH (FORCE)`)))
      const own = new URL(url)
      own.pathname = `/${name}`
      return Postgres.layer({ url: Redacted.make(own.href), maxConnections: 4 })
    }),
  )
