/** Several processes that start at once: for the database, a process is a pool of its own. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { Migrations } from "../src/Migrations.ts"
import { Postgres } from "../src/Postgres.ts"
import { embeddedMemory, temporaryDatabase } from "./drivers.ts"

const databaseUrl = inject("databaseUrl")

const everything: Array<readonly [id: number, name: string]> = [
  [1, "spine"],
  [2, "accounts"],
]

describe("Migrations", () => {
  it.effect("one of several callers works on an empty database, the others find it done", () =>
    Effect.gen(function* () {
      const runs = yield* Effect.all([Migrations.run, Migrations.run, Migrations.run], { concurrency: "unbounded" })
      assert.deepStrictEqual(runs.flat(), everything)
    }).pipe(Effect.provide(embeddedMemory)),
  )

  it.effect.skipIf(databaseUrl === null)("so do processes that start at once on one server (needs DATABASE_URL)", () =>
    Effect.gen(function* () {
      const url = yield* temporaryDatabase(String(databaseUrl))
      const start = Effect.provide(Migrations.run, Layer.fresh(Postgres.layer({ url, maxConnections: 2 })))
      const runs = yield* Effect.all([start, start, start, start, start], { concurrency: "unbounded" })
      assert.deepStrictEqual(runs.flat(), everything)
    }),
  )

  it.effect("leaves nothing behind when it fails half-way", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // A table in the way of the last statement of the first migration.
      yield* sql`CREATE TABLE api_keys (id integer)`
      const error = yield* Effect.flip(Migrations.run)
      assert.deepStrictEqual([error._tag, error.operation], ["StoreError", "Migrations.run"])
      assert.deepStrictEqual(yield* sql`SELECT to_regclass('cs2_matches')::text AS matches`, [{ matches: null }])
      yield* sql`DROP TABLE api_keys`
      assert.deepStrictEqual(yield* Migrations.run, everything)
    }).pipe(Effect.provide(embeddedMemory)),
  )
})
