/**
 * Records how far each file of a game has been imported, so that an interrupted import continues after its last batch
 * and a finished file is not read again. Each batch is committed together with its progress.
 */
import { PgClient } from "@effect/sql-pg"
import type { GameName } from "@matchpoint/domain/ids"
import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Counter } from "./Counter.ts"
import { failOnLostConnection, OperationTimeout, StoreError, storeEffect, storeFn, storeOperation } from "./StoreError.ts"

export interface ImportedFile {
  readonly source: string
  /** Path in the folder of the import, with `/` as the separator. */
  readonly file: string
  /**
   * Fingerprint of the file's content and of the way it is parsed. If it changes, the file is imported again from its
   * beginning.
   */
  readonly fingerprint: string
}

const Progress = Schema.Struct({
  fingerprint: Schema.String,
  /** Records that have been processed. */
  done: Counter,
  written: Counter,
  rejected: Counter,
  finished: Schema.Boolean,
})
export type ImportProgress = typeof Progress.Type

/**
 * Source and file of a special row of `imports` with the number of rows that all batches have written. It is unfinished
 * until the data derived from these rows, such as statistics, has been rebuilt.
 */
export const DERIVED = "derived"

/** Exists if derived data is out of date. `written` counts the rows that batches had written when the mark was read. */
const UnderivedMark = Schema.Struct({ written: Counter })
export type UnderivedMark = typeof UnderivedMark.Type

/** Progress after a batch. `written` and `rejected` count the records of this batch only. */
export interface ImportStep {
  /** All records that have been processed, including this batch. */
  readonly done: number
  readonly written: number
  readonly rejected: number
}

/** Source names are unique per game. */
export interface GameImports {
  /** None if the file was never imported. */
  readonly find: (source: string, file: string) => Effect.Effect<Option.Option<ImportProgress>, StoreError>
  /** Starts a file from its beginning and discards the progress of earlier imports, but not their number of written rows. */
  readonly begin: (file: ImportedFile) => Effect.Effect<void, StoreError>
  /**
   * Writes one batch: runs `write`, computes the progress from its result with `step`, and commits both in one
   * transaction with the writes of the repositories that `write` calls. Each statement has a timeout, the batch has
   * none.
   */
  readonly batch: <A, R>(
    file: ImportedFile,
    write: Effect.Effect<A, StoreError, R>,
    step: (written: A) => ImportStep,
  ) => Effect.Effect<A, StoreError, R>
  /** `rows` counts the rows of a file that was written without batches. */
  readonly finish: (file: ImportedFile, rows?: number) => Effect.Effect<void, StoreError>
  /**
   * Returns a mark if batches have written rows since derived data was last rebuilt. Pass it to `derived` after the
   * rebuild. If an import is interrupted before that, the next import gets a mark again.
   */
  readonly underived: Effect.Effect<Option.Option<UnderivedMark>, StoreError>
  /**
   * Records that derived data includes all rows written before the mark was read. If more rows have been written since,
   * `underived` returns a new mark.
   */
  readonly derived: (mark: UnderivedMark) => Effect.Effect<void, StoreError>
}

export class Imports extends Context.Service<
  Imports,
  {
    readonly of: (game: GameName) => GameImports
  }
>()("@matchpoint/store/Imports") {
  static readonly layer = Layer.effect(
    Imports,
    Effect.gen(function* () {
      const sql = yield* PgClient.PgClient
      const limit = yield* OperationTimeout

      const of = (game: GameName): GameImports => {
        const select = SqlSchema.findOneOption({
          Request: Schema.Struct({ source: Schema.String, file: Schema.String }),
          Result: Progress,
          execute: ({ file, source }) => sql`
          SELECT fingerprint, done, written, rejected, finished_at IS NOT NULL AS finished
          FROM imports WHERE game = ${game} AND source = ${source} AND file = ${file}`,
        })

        const selectUnderived = SqlSchema.findOneOption({
          Request: Schema.Void,
          Result: UnderivedMark,
          execute: () =>
            sql`SELECT written FROM imports WHERE game = ${game} AND source = ${DERIVED} AND file = ${DERIVED} AND finished_at IS NULL`,
        })

        const noteWritten = (written: number) => sql`
        INSERT INTO imports AS known (game, source, file, fingerprint, written) VALUES (${game}, ${DERIVED}, ${DERIVED}, '', ${written})
        ON CONFLICT (game, source, file) DO UPDATE SET written = known.written + excluded.written, finished_at = NULL,
          started_at = CASE WHEN known.finished_at IS NULL THEN known.started_at ELSE now() END`

        const advance = (file: ImportedFile, step: ImportStep) => sql`
        UPDATE imports SET done = ${step.done}, written = written + ${step.written}, rejected = rejected + ${step.rejected}
        WHERE game = ${game} AND source = ${file.source} AND file = ${file.file} AND fingerprint = ${file.fingerprint}`

        const take = (file: ImportedFile, step: ImportStep) =>
          step.written === 0 ? advance(file, step) : Effect.andThen(advance(file, step), noteWritten(step.written))

        return {
          find: Effect.fn("Imports.find")((source, file) => select({ source, file }), storeOperation("Imports.find", limit)),
          begin: storeFn("Imports.begin", limit, function* ({ file, fingerprint, source }) {
            yield* sql`
            INSERT INTO imports (game, source, file, fingerprint) VALUES (${game}, ${source}, ${file}, ${fingerprint})
            ON CONFLICT (game, source, file) DO UPDATE SET fingerprint = EXCLUDED.fingerprint, done = 0, rejected = 0,
              started_at = now(), finished_at = NULL`
          }),
          batch: (file, write, step) =>
            sql.withTransaction(Effect.tap(write, (written) => take(file, step(written)))).pipe(
              failOnLostConnection,
              Effect.mapError((cause) => (cause instanceof StoreError ? cause : new StoreError({ operation: "Imports.batch", cause }))),
              Effect.withSpan("Imports.batch"),
            ),
          finish: storeFn("Imports.finish", limit, function* ({ file, fingerprint, source }, rows) {
            yield* sql`
            UPDATE imports SET finished_at = now(), done = COALESCE(${rows ?? null}::bigint, done),
              written = COALESCE(${rows ?? null}::bigint, written)
            WHERE game = ${game} AND source = ${source} AND file = ${file} AND fingerprint = ${fingerprint} AND finished_at IS NULL`
          }),
          underived: selectUnderived().pipe(storeEffect("Imports.underived", limit)),
          derived: storeFn("Imports.derived", limit, function* ({ written }) {
            yield* sql`
            UPDATE imports SET finished_at = now()
            WHERE game = ${game} AND source = ${DERIVED} AND file = ${DERIVED} AND written = ${written} AND finished_at IS NULL`
          }),
        }
      }
      return Imports.of({ of })
    }),
  )
}
