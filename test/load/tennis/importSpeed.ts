// Owns the measurement of an import into an empty database: `node importSpeed.ts <order as JSON>`. Uses the code of
// `npm run import -- tennis`. Sends the result to its parent.
import "effect/schema/SchemaJITCompiler/enable"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Migrations } from "@matchpoint/games/Migrations"
import { Repositories } from "@matchpoint/games/Repositories"
import { Embedded } from "@matchpoint/store/database/Embedded"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { Duration, Effect, Layer, Redacted } from "effect"
import { deriveTennis, importTennis } from "../../fixtures/tennis/importTennis.ts"

export interface ImportOrder {
  readonly folder: string
  /** Null: an embedded database in `directory`. */
  readonly url: string | null
  readonly directory: string
}

export interface ImportedSource {
  readonly source: string
  readonly rows: number
  readonly rejected: number
  readonly seconds: number
  readonly rowsPerSecond: number
}

export interface ImportSpeed {
  readonly sources: ReadonlyArray<ImportedSource>
  /** Rows of matches per second, which the bar is for. */
  readonly matchRowsPerSecond: number
  /** Duration of indexes, table statistics and summaries after the rows. */
  readonly derivationSeconds: number
}

const TIMEOUT = "10 minutes"

const order: ImportOrder = JSON.parse(process.argv[2] ?? "")

const Database =
  order.url === null
    ? Embedded.layer({ directory: order.directory, statementTimeout: TIMEOUT })
    : Postgres.layer({ url: Redacted.make(order.url), maxConnections: 2, statementTimeout: TIMEOUT })

const run = Effect.gen(function* () {
  const sources = (yield* importTennis(order.folder)).map(({ milliseconds, records, rejected, source }): ImportedSource => {
    const rowsPerSecond = Math.round((1e3 * records) / milliseconds)
    return { source, rows: records, rejected, seconds: milliseconds / 1e3, rowsPerSecond }
  })
  const [took] = yield* Effect.timed(deriveTennis)
  const matchRowsPerSecond = sources.find(({ source }) => source === "matches")?.rowsPerSecond ?? 0
  const speed: ImportSpeed = { sources, matchRowsPerSecond, derivationSeconds: Duration.toSeconds(took) }
  process.send?.(speed)
})

const Stores = Repositories.layer.pipe(Layer.provide(Migrations.layer), Layer.provideMerge(Database), Layer.merge(NodeServices.layer))

run.pipe(Effect.provide(Stores), NodeRuntime.runMain)
