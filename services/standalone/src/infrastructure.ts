/** The log and the database: the embedded ones, or the servers that the settings name. */
import { join } from "node:path"
import * as EventLogFile from "@matchpoint/bus/EventLogFile"
import { Rejections } from "@matchpoint/bus/Rejections"
import { currentSubject, streams } from "@matchpoint/contracts/bus/subjects"
import { Migrations } from "@matchpoint/games/Migrations"
import { postgresStore } from "@matchpoint/games/postgresStore"
import { Repositories } from "@matchpoint/games/Repositories"
import { natsLog } from "@matchpoint/process/servers/natsLog"
import { Embedded } from "@matchpoint/store/database/Embedded"
import { Effect, Layer, Option } from "effect"
import { StandaloneConfig } from "./StandaloneConfig.ts"

const MB = 1024 * 1024

/**
 * Bytes per stream. The embedded log holds all records in memory as well as on disk, so it has less than a log server.
 * A record in LIVE has about 1 KB.
 */
const embeddedBytes: Record<string, number> = { FEED: 64 * MB, LIVE: 32 * MB }

export const EventLogLayer = Layer.unwrap(
  Effect.map(StandaloneConfig, ({ natsUrl, dataDirectory, ...settings }) =>
    Option.match(natsUrl, {
      onSome: (urls) => natsLog({ ...settings, natsUrl: urls }),
      onNone: () =>
        EventLogFile.layer({
          directory: join(dataDirectory, "log"),
          currentSubject,
          streams: streams.map((spec) => ({ ...spec, maxBytes: embeddedBytes[spec.name] ?? spec.maxBytes })),
        }),
    }),
  ),
)

const embeddedStore = (directory: string) =>
  Repositories.layer.pipe(Layer.provide(Migrations.layer), Layer.provide(Embedded.layer({ directory })))

type Stores = Layer.Success<typeof Repositories.layer>
type StoreFailure = Layer.Error<ReturnType<typeof postgresStore>> | Layer.Error<ReturnType<typeof embeddedStore>>

/** Repositories on a database that has been migrated. */
export const StoreLayer = Layer.unwrap(
  Effect.map(
    StandaloneConfig,
    ({ databaseUrl, dataDirectory, ...settings }): Layer.Layer<Stores, StoreFailure> =>
      Option.isSome(databaseUrl)
        ? postgresStore({ ...settings, databaseUrl: databaseUrl.value })
        : embeddedStore(join(dataDirectory, "database")),
  ),
)

export const BusLayer = Rejections.layer.pipe(Layer.provideMerge(EventLogLayer))
