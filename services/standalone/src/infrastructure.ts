/**
 * Provides the event log and the database of the standalone process: the embedded ones, or the external servers
 * specified in the configuration.
 */

import { join } from "node:path"
import * as EventLogFile from "@matchpoint/bus/EventLogFile"
import * as EventLogNats from "@matchpoint/bus/EventLogNats"
import { Rejections } from "@matchpoint/bus/Rejections"
import { streams } from "@matchpoint/contracts/bus/subjects"
import { Embedded } from "@matchpoint/store/database/Embedded"
import { Migrations } from "@matchpoint/store/database/Migrations"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { Repositories } from "@matchpoint/store/Repositories"
import { Cause, Effect, Layer, Option } from "effect"
import { DatabaseUnusable } from "./DatabaseUnusable.ts"
import { StandaloneConfig } from "./StandaloneConfig.ts"

const MB = 1024 * 1024

/**
 * Maximum size in bytes of each stream of the embedded log. The embedded log holds all records in memory as well as on
 * disk, so the limits are lower than those of an external log server. A change record in the LIVE stream (published
 * match records) has about 1 KB.
 */
const embeddedBytes: Record<string, number> = { FEED: 64 * MB, LIVE: 32 * MB }

export const EventLogLayer = Layer.unwrap(
  Effect.map(StandaloneConfig, ({ natsUrl, dataDirectory }) =>
    Option.match(natsUrl, {
      onSome: (servers) => EventLogNats.layer({ servers, streams }),
      onNone: () =>
        EventLogFile.layer({
          directory: join(dataDirectory, "log"),
          streams: streams.map((spec) => ({ ...spec, maxBytes: embeddedBytes[spec.name] ?? spec.maxBytes })),
        }),
    }),
  ),
)

const DatabaseLayer = Layer.unwrap(
  Effect.map(StandaloneConfig, ({ databaseUrl, dataDirectory }) =>
    Option.match(databaseUrl, {
      onSome: (url) => Postgres.layer({ url }),
      onNone: () => Embedded.layer({ directory: join(dataDirectory, "database") }),
    }),
  ),
)

/**
 * Runs the migrations, which are the first use of the database. If the database cannot be used, the error contains the
 * database's address instead of the failed query, because the address is more helpful.
 */
const MigrationsLayer = Layer.unwrap(
  Effect.map(StandaloneConfig, ({ databaseUrl }) =>
    Migrations.layer.pipe(
      Layer.catchCause((cause) =>
        Layer.effectDiscard(
          Effect.failCause(
            Cause.map(cause, (error) => (Option.isSome(databaseUrl) ? DatabaseUnusable.of(databaseUrl.value, error) : error)),
          ),
        ),
      ),
    ),
  ),
)

/** Provides the repositories. They require a database that has been migrated. */
export const StoreLayer = Layer.unwrap(
  Effect.map(StandaloneConfig, ({ databaseUrl }) => (Option.isSome(databaseUrl) ? Repositories.layerPostgres : Repositories.layer)),
).pipe(Layer.provide(MigrationsLayer), Layer.provide(DatabaseLayer))

export const BusLayer = Rejections.layer.pipe(Layer.provideMerge(EventLogLayer))
