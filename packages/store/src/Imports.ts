/**
 * What was imported, game by game and file by file: how far each is, so that an import that ended early goes on after its last batch
 * and a file that is done is not read again. A batch and how far it brings its file are one transaction.
 */
import { PgClient } from "@effect/sql-pg"
import type { GameName } from "@matchpoint/domain/ids"
import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlSchema } from "effect/sql"
import { Counter } from "./Counter.ts"
import { failWhenLost, OperationTimeout, StoreError, storeOperation } from "./StoreError.ts"

export interface ImportedFile {
  readonly source: string
  /** Relative to what was imported, with `/`. */
  readonly file: string
  /** Changes when the file's content changes, or the way it is read. */
  readonly fingerprint: string
}

const Progress = Schema.Struct({
  fingerprint: Schema.String,
  /** Records of the file that are behind it. */
  done: Counter,
  written: Counter,
  rejected: Counter,
  finished: Schema.Boolean,
})
export type ImportProgress = typeof Progress.Type

/** The row that counts what all batches have written: not finished while something of it is not derived. */
const DERIVED = "derived"

/** `written`: rows that all batches had written when the mark was taken. */
const UnderivedMark = Schema.Struct({ written: Counter })
export type UnderivedMark = typeof UnderivedMark.Type

/** How far one batch brings its file. */
export interface ImportStep {
  /** Records of the file that are behind it now, in all. */
  readonly done: number
  readonly written: number
  readonly rejected: number
}

/** The imports of one game. Names of sources are unique within it. */
export interface GameImports {
  /** How far a file is. */
  readonly find: (source: string, file: string) => Effect.Effect<Option.Option<ImportProgress>, StoreError>
  /** From its beginning: what is known of the file is forgotten. */
  readonly begin: (file: ImportedFile) => Effect.Effect<void, StoreError>
  /**
   * Runs `write` and notes what `step` makes of its answer, both or neither. Within it the archive's repositories join the transaction.
   * Unbounded in time but for its statements.
   */
  readonly batch: <A, R>(
    file: ImportedFile,
    write: Effect.Effect<A, StoreError, R>,
    step: (written: A) => ImportStep,
  ) => Effect.Effect<A, StoreError, R>
  readonly finish: (file: ImportedFile) => Effect.Effect<void, StoreError>
  /**
   * Whether batches have written something since the last time that everything was derived: what to call `derived` with then. Known in
   * the database, so that an import that ended early is made up for by the next.
   */
  readonly underived: Effect.Effect<Option.Option<UnderivedMark>, StoreError>
  /** Everything was derived of what was there at the mark; what batches wrote meanwhile, of another process, stays to be derived. */
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
