/** Drivers for the suites: each layer creates a fresh, empty database that is removed with its scope. */

import { randomUUID } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Embedded } from "../src/database/Embedded.ts"
import { Postgres } from "../src/database/Postgres.ts"
import { Repositories } from "../src/Repositories.ts"

/** Every repository of the package, without a database. */
export const repositories = Repositories.layer

export const temporaryDirectory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "matchpoint-store-"))),
  (directory) => Effect.promise(() => rm(directory, { recursive: true, force: true })),
)

/**
 * Builds a driver with the live clock, because starting a database takes real time even if the test clock stands still.
 */
const startLive = <A, E>(driver: Layer.Layer<A, E>) => Layer.effectContext(TestClock.withLive(Layer.build(driver)))

export const embeddedMemory = startLive(Embedded.layer({ directory: null }))

export const embeddedDirectory = startLive(Layer.unwrap(Effect.map(temporaryDirectory, (directory) => Embedded.layer({ directory }))))

/** Creates a database on the server of `url` and drops it with the scope. */
export const temporaryDatabase = (url: string) =>
  Effect.gen(function* () {
    const admin = yield* Layer.build(Postgres.layer({ url: Redacted.make(url), maxConnections: 1 }))
    const name = `matchpoint_store_${randomUUID().replaceAll("-", "")}`
    const execute = (statement: string) =>
      Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement)).pipe(Effect.provideContext(admin))
    yield* Effect.acquireRelease(execute(`CREATE DATABASE ${name}`), () => Effect.orDie(execute(`DROP DATABASE ${name} WITH (FORCE)`)))
    const own = new URL(url)
    own.pathname = `/${name}`
    return Redacted.make(own.href)
  })

export const postgresDatabase = (url: string) => Layer.unwrap(Effect.map(temporaryDatabase(url), (own) => Postgres.layer({ url: own })))
