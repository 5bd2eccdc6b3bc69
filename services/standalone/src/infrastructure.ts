/** The log and the database of the standalone process: the embedded ones, or the servers named in the configuration. */

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
 * Size limits of the embedded log by stream. It holds all records in memory as well as on disk, so the limits are lower
 * than on a server. A change in LIVE has about 1 KB.
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
 * Runs the first query. If the configured database cannot be used, the error names its address, which helps more than
 * the query.
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

/** Repositories on a migrated database. */
export const StoreLayer = Repositories.layer.pipe(Layer.provide(MigrationsLayer), Layer.provide(DatabaseLayer))

export const BusLayer = Rejections.layer.pipe(Layer.provideMerge(EventLogLayer))
