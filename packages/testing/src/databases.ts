/**
 * Creates databases for tests. Each database has the current schema and no rows, and is removed when its scope closes.
 * All are copied from a template that is created once per test run (`templates.ts`), because creating and migrating an
 * embedded database takes seconds.
 */
import { Embedded } from "@matchpoint/store/database/Embedded"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { Effect, Layer } from "effect"
import { inject } from "vitest"
import { createDatabase } from "./createDatabase.ts"
import { inRealTime } from "./realTime.ts"
import type {} from "./templates.ts"
import { temporaryDirectory } from "./temporaryDirectory.ts"

/** Type of a layer that provides a database, whichever of the store's drivers it uses. */
export type DatabaseLayer<E = never> = Layer.Layer<Layer.Success<ReturnType<typeof Embedded.layer>>, E>

/**
 * Starts a database on the real clock even if the test uses a `TestClock`, because the start waits for real work such
 * as input and output.
 */
const startLive = <A, E>(driver: Layer.Layer<A, E>) => Layer.effectContext(inRealTime(Layer.build(driver)))

/** Layer with an embedded database in memory. */
export const embeddedMemory = startLive(Embedded.layer({ directory: null, initialData: inject("embeddedTemplate") }))

/** Layer with an embedded database in a temporary directory. */
export const embeddedDirectory = startLive(
  Layer.unwrap(Effect.map(temporaryDirectory, (directory) => Embedded.layer({ directory, initialData: inject("embeddedTemplate") }))),
)

/**
 * Creates a PostgreSQL database on the server of `url`, and drops it when the scope closes. Returns the URL of the new
 * database. Used by tests in which several processes share a database.
 */
export const temporaryDatabase = (url: string) => createDatabase(url, inject("postgresTemplate"))

/** Layer with a new PostgreSQL database on the server of `url`. The database is not shared with other tests. */
export const postgresDatabase = (url: string, maxConnections = 4) =>
  startLive(Layer.unwrap(Effect.map(temporaryDatabase(url), (own) => Postgres.layer({ url: own, maxConnections }))))
