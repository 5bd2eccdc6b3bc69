/**
 * Databases of tests: fresh, with the schema of this version and no rows, gone with their scope. Both drivers start from a template that the
 * test run makes once (`templates.ts`), because creating an embedded database and migrating it takes seconds.
 */
import { Embedded } from "@matchpoint/store/database/Embedded"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { Effect, Layer } from "effect"
import { inject } from "vitest"
import { createDatabase } from "./createDatabase.ts"
import { inRealTime } from "./realTime.ts"
import type {} from "./templates.ts"
import { temporaryDirectory } from "./temporaryDirectory.ts"

/** Any driver of the store. */
export type DatabaseLayer<E = never> = Layer.Layer<Layer.Success<ReturnType<typeof Embedded.layer>>, E>

/** Starting a database takes real time, also in a suite whose clock is a `TestClock`. */
const startLive = <A, E>(driver: Layer.Layer<A, E>) => Layer.effectContext(inRealTime(Layer.build(driver)))

/** The embedded database in memory. */
export const embeddedMemory = startLive(Embedded.layer({ directory: null, initialData: inject("embeddedTemplate") }))

/** The embedded database in a temporary directory. */
export const embeddedDirectory = startLive(
  Layer.unwrap(Effect.map(temporaryDirectory, (directory) => Embedded.layer({ directory, initialData: inject("embeddedTemplate") }))),
)

/**
 * Creates a PostgreSQL database on the server of `url` and drops it with the scope. Returns its URL, for tests in which several processes
 * share it.
 */
export const temporaryDatabase = (url: string) => createDatabase(url, inject("postgresTemplate"))

/** A PostgreSQL database of its own on the server of `url`. */
export const postgresDatabase = (url: string, maxConnections = 4) =>
  startLive(Layer.unwrap(Effect.map(temporaryDatabase(url), (own) => Postgres.layer({ url: own, maxConnections }))))
