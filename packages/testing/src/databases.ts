/**
 * Databases for tests. Each one is new, has the current schema and no rows, and is removed when its scope closes.
 * Databases of both drivers are copied from a template that is created once per test run (`templates.ts`), because
 * creating and migrating an embedded database takes seconds.
 */
import { Embedded } from "@matchpoint/store/database/Embedded"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { Effect, Layer } from "effect"
import { inject } from "vitest"
import { createDatabase } from "./createDatabase.ts"
import { inRealTime } from "./realTime.ts"
import type {} from "./templates.ts"
import { temporaryDirectory } from "./temporaryDirectory.ts"

/** Layer of a database with any of the store's drivers. */
export type DatabaseLayer<E = never> = Layer.Layer<Layer.Success<ReturnType<typeof Embedded.layer>>, E>

/** Starts a database on the real clock, because it takes real time even in a test that uses a `TestClock`. */
const startLive = <A, E>(driver: Layer.Layer<A, E>) => Layer.effectContext(inRealTime(Layer.build(driver)))

/** The embedded database in memory. */
export const embeddedMemory = startLive(Embedded.layer({ directory: null, initialData: inject("embeddedTemplate") }))

/** The embedded database in a temporary directory. */
export const embeddedDirectory = startLive(
  Layer.unwrap(Effect.map(temporaryDirectory, (directory) => Embedded.layer({ directory, initialData: inject("embeddedTemplate") }))),
)

/**
 * Creates a PostgreSQL database on the server of `url`, which is dropped when the scope closes. Returns the URL of the
 * database, for tests in which several processes share it.
 */
export const temporaryDatabase = (url: string) => createDatabase(url, inject("postgresTemplate"))

/** A new PostgreSQL database on the server of `url`, which no other test uses. */
export const postgresDatabase = (url: string, maxConnections = 4) =>
  startLive(Layer.unwrap(Effect.map(temporaryDatabase(url), (own) => Postgres.layer({ url: own, maxConnections }))))
