import { DatabaseUnusable } from "@matchpoint/process/servers/DatabaseUnusable"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { Cause, Effect, Layer, type Redacted } from "effect"
import { Migrations } from "./Migrations.ts"
import { Repositories } from "./Repositories.ts"

export interface PostgresSettings {
  readonly databaseUrl: Redacted.Redacted<string>
  /** Maximum for this process. */
  readonly databaseConnections: number
  /** `transaction`: the URL leads to a pooler that gives each transaction another session. */
  readonly databasePooler: "none" | "transaction"
}

/**
 * Runs the missing migrations, which are the first use of the database. If it cannot be used, the error contains its
 * address instead of the failed query.
 */
export const postgresStore = ({ databaseConnections, databasePooler, databaseUrl }: PostgresSettings) =>
  (databasePooler === "none" ? Repositories.layerPostgres : Repositories.layerPooled).pipe(
    Layer.provide(
      Migrations.layer.pipe(
        Layer.catchCause((cause) =>
          Layer.effectDiscard(Effect.failCause(Cause.map(cause, (error) => DatabaseUnusable.of(databaseUrl, error)))),
        ),
      ),
    ),
    Layer.provideMerge(Postgres.layer({ url: databaseUrl, maxConnections: databaseConnections, pooler: databasePooler })),
  )
