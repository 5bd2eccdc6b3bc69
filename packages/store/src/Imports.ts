/**
 * Records the progress of imports per game and file. An interrupted import continues after its last batch, and a
 * finished file is not read again. A batch and its progress are committed in one transaction.
 */
import { PgClient } from "@effect/sql-pg"
import type { GameName } from "@matchpoint/domain/ids"
import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Counter } from "./Counter.ts"
import { failWhenLost, OperationTimeout, StoreError, storeOperation } from "./StoreError.ts"

export interface ImportedFile {
  readonly source: string
  /** Path relative to the import's folder, with `/`. */
  readonly file: string
  /**
   * Fingerprint of the file's content and of the way it is read. If it changes, the file is imported from its
   * beginning.
   */
  readonly fingerprint: string
}

const Progress = Schema.Struct({
  fingerprint: Schema.String,
  /** Records of the file that have been processed. */
  done: Counter,
  written: Counter,
  rejected: Counter,
  finished: Schema.Boolean,
})
export type ImportProgress = typeof Progress.Type

/**
 * Source and file name of a special row in `imports`. It counts the rows written by all batches, and is unfinished
 * while derived data does not cover them.
 */
const DERIVED = "derived"

/** `written`: number of rows that all batches had written when the mark was read. */
const UnderivedMark = Schema.Struct({ written: Counter })
export type UnderivedMark = typeof UnderivedMark.Type

/** Progress that one batch makes in its file. */
export interface ImportStep {
  /** Total records of the file that are processed after this batch. */
  readonly done: number
  readonly written: number
  readonly rejected: number
}

/** Imports of one game. Source names are unique per game. */
export interface GameImports {
  /** Returns the progress of a file, or none if it was never imported. */
  readonly find: (source: string, file: string) => Effect.Effect<Option.Option<ImportProgress>, StoreError>
  /** Starts a file from its beginning and discards its earlier progress. */
  readonly begin: (file: ImportedFile) => Effect.Effect<void, StoreError>
  /**
   * Runs `write` and stores the progress that `step` computes from its result, both or neither. Repositories of the
   * archive that are called inside join the transaction. The batch as a whole has no time limit; each statement in it
   * has.
   */
  readonly batch: <A, R>(
    file: ImportedFile,
    write: Effect.Effect<A, StoreError, R>,
    step: (written: A) => ImportStep,
  ) => Effect.Effect<A, StoreError, R>
  readonly finish: (file: ImportedFile) => Effect.Effect<void, StoreError>
  /**
   * Returns a mark if batches have written rows since derived data was last rebuilt. Pass the mark to `derived` after
   * rebuilding. It is stored in the database, so the next import completes what an interrupted import did not derive.
   */
  readonly underived: Effect.Effect<Option.Option<UnderivedMark>, StoreError>
  /**
   * Records that everything written up to the mark has been derived. If another process has written rows since the
   * mark, they remain to be derived.
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
          begin: Effect.fn("Imports.begin")(
            function* ({ file, fingerprint, source }) {
              yield* sql`
              INSERT INTO imports (game, source, file, fingerprint) VALUES (${game}, ${source}, ${file}, ${fingerprint})
              ON CONFLICT (game, source, file) DO UPDATE SET fingerprint = EXCLUDED.fingerprint, done = 0, written = 0, rejected = 0,
                started_at = now(), finished_at = NULL`
            },
            storeOperation("Imports.begin", limit),
          ),
          batch: (file, write, step) =>
            sql.withTransaction(Effect.tap(write, (written) => take(file, step(written)))).pipe(
              failWhenLost,
              Effect.mapError((cause) => (cause instanceof StoreError ? cause : new StoreError({ operation: "Imports.batch", cause }))),
              Effect.withSpan("Imports.batch"),
            ),
          finish: Effect.fn("Imports.finish")(
            function* ({ file, fingerprint, source }) {
              yield* sql`
              UPDATE imports SET finished_at = now()
              WHERE game = ${game} AND source = ${source} AND file = ${file} AND fingerprint = ${fingerprint} AND finished_at IS NULL`
            },
            storeOperation("Imports.finish", limit),
          ),
          underived: selectUnderived().pipe(storeOperation("Imports.underived", limit), Effect.withSpan("Imports.underived")),
          derived: Effect.fn("Imports.derived")(
            function* ({ written }) {
              yield* sql`
              UPDATE imports SET finished_at = now()
              WHERE game = ${game} AND source = ${DERIVED} AND file = ${DERIVED} AND written = ${written} AND finished_at IS NULL`
            },
            storeOperation("Imports.derived", limit),
          ),
        }
      }
      return Imports.of({ of })
    }),
  )
}
