// Owns the measurement of an import into an empty database: `node importSpeed.ts <order as JSON>`. Uses the code of
// `npm run import -- tennis`. Sends the result to its parent.
import "effect/schema/SchemaJITCompiler/enable"
import { NodeRuntime, NodeServices } from "@effect/platform-node"
import { TENNIS } from "@matchpoint/domain/tennis/game"
import { findFiles } from "@matchpoint/service-feed/import/findFiles"
import { importSource } from "@matchpoint/service-feed/import/Importer"
import { tennisImports } from "@matchpoint/service-feed/tennis/import/tennisImports"
import { Embedded } from "@matchpoint/store/database/Embedded"
import { Migrations } from "@matchpoint/store/database/Migrations"
import { Postgres } from "@matchpoint/store/database/Postgres"
import { Repositories } from "@matchpoint/store/Repositories"
import { Effect, Layer, Redacted } from "effect"

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

const seconds = (from: number) => (performance.now() - from) / 1e3

const run = Effect.gen(function* () {
  const sources: Array<ImportedSource> = []
  for (const { source } of tennisImports.sources) {
    const files = yield* findFiles(source, order.folder)
    const began = performance.now()
    const { records, rejected } = yield* importSource(TENNIS, source, files, () => Effect.void)
    const took = seconds(began)
    sources.push({ source: source.name, rows: records, rejected, seconds: took, rowsPerSecond: Math.round(records / took) })
  }
  const began = performance.now()
  for (const { make } of tennisImports.derivations) yield* make
  const matchRowsPerSecond = sources.find(({ source }) => source === "matches")?.rowsPerSecond ?? 0
  const speed: ImportSpeed = { sources, matchRowsPerSecond, derivationSeconds: seconds(began) }
  process.send?.(speed)
})

const Stores = Repositories.layer.pipe(Layer.provide(Migrations.layer), Layer.provideMerge(Database), Layer.merge(NodeServices.layer))

run.pipe(Effect.provide(Stores), NodeRuntime.runMain)
