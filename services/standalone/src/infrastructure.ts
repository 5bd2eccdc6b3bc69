/** The log and the database of the standalone process: embedded, or the servers that the configuration names. */

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

/** The embedded log keeps everything in memory besides the disk: less of it than a server would. A change in LIVE has about 1 KB. */
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

/** The first query to the database: if it is not there, the address is more help than the query. */
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
