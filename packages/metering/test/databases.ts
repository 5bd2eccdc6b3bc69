/** New, empty databases for the SQL ledger, deleted when their scope closes. */
import { Embedded } from "@matchpoint/store/database/Embedded"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { Effect, Layer, Random, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { uuidOf } from "../src/uuidOf.ts"

export const embedded = Embedded.layer({ directory: null })

/** Creates a database on the server that `url` names. */
export const postgres = (url: string) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const admin = yield* Layer.build(Postgres.layer({ url: Redacted.make(url), maxConnections: 1 }))
      const name = `matchpoint_metering_${uuidOf(yield* Random.Random).replaceAll("-", "")}`
      const execute = (statement: string) =>
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)).pipe(Effect.provideContext(admin), Effect.orDie)
      yield* Effect.acquireRelease(execute(`CREATE DATABASE ${name}`), () => execute(`DROP DATABASE ${name} WITH (FORCE)`))
      const own = new URL(url)
      own.pathname = `/${name}`
      return Postgres.layer({ url: Redacted.make(own.href) })
    }),
  )
