/**
 * Imports the files of one source: owns the order, the transactions and the counts. Imported files are skipped, an
 * interrupted file is resumed after its last completed batch, and records that cannot be written are reported and
 * skipped. A stop loses only the current batch, which the next run imports. The source reads and writes the records.
 */
import type { GameName } from "@matchpoint/domain/ids"
import { monotonicOf } from "@matchpoint/domain/monotonic"
import {
  addTally,
  type Batch,
  type ImportFile,
  type ImportSource,
  nothingWritten,
  type Tally,
  type UnreadableFile,
} from "@matchpoint/game/feed/import/ImportSource"
import { type GameImports, type ImportedFile, type ImportProgress, Imports } from "@matchpoint/store/Imports"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Clock, Effect, Option, Result, Schedule, Stream } from "effect"
import { fingerprintOf } from "./findFiles.ts"
import type { ImportEvent, SourceSummary } from "./Progress.ts"

export type Listener = (event: ImportEvent) => Effect.Effect<void, StoreError>

export interface ImportOptions {
  /** If true, files are imported again even if they have not changed. */
  readonly again?: boolean | undefined
}

/** Steps that are read ahead while the database writes, so that the next files are decoded even if each is a single batch. */
const READ_AHEAD = 2

export const importSource = Effect.fn("importSource")(function* <R>(
  game: GameName,
  source: ImportSource<R>,
  files: ReadonlyArray<ImportFile>,
  listener: Listener,
  options: ImportOptions = {},
) {
  const imports = (yield* Imports).of(game)
  const now = monotonicOf(yield* Clock.Clock)
  const startedAt = now()
  const counts = { done: 0, skipped: 0, refused: 0 }
  let total: Counted = nothingCounted
  yield* listener({ type: "SourceBegun", source: source.name, files: files.length })
  yield* Stream.fromIterable(files).pipe(
    Stream.flatMap((file) => readSteps(imports, source, file, options)),
    Stream.buffer({ capacity: READ_AHEAD }),
    Stream.runForEach((step) =>
      Effect.map(applyStep(imports, step, listener), ({ counted, outcome }) => {
        if (outcome !== undefined) counts[outcome] += 1
        total = addCounted(total, counted)
      }),
    ),
  )
  const milliseconds = Math.round(now() - startedAt)
  const summary: SourceSummary = { source: source.name, files: counts, ...total, milliseconds }
  yield* listener({ type: "SourceDone", source: source.name, summary })
  return summary
})

interface Counted {
  readonly records: number
  readonly rejected: number
  readonly tally: Tally
}

const nothingCounted: Counted = { records: 0, rejected: 0, tally: nothingWritten }

const addCounted = (one: Counted, other: Counted): Counted => ({
  records: one.records + other.records,
  rejected: one.rejected + other.rejected,
  tally: addTally(one.tally, other.tally),
})

interface FileName {
  readonly source: string
  readonly file: string
}

/** Steps of a file in order. They are read without changes to the database, and applied one after another. */
type FileStep<R> =
  | { readonly _tag: "Skipped"; readonly where: FileName }
  | { readonly _tag: "Begun"; readonly entry: ImportedFile; readonly from: number }
  /** `records` counts since the step before. */
  | { readonly _tag: "Read"; readonly entry: ImportedFile; readonly batch: Batch<R>; readonly records: number }
  | { readonly _tag: "Ended"; readonly entry: ImportedFile }
  | { readonly _tag: "Refused"; readonly where: FileName; readonly reason: string }

const readSteps = <R>(
  imports: GameImports,
  source: ImportSource<R>,
  file: ImportFile,
  { again }: ImportOptions,
): Stream.Stream<FileStep<R>, StoreError, R> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const where = { source: source.name, file: file.name }
      const refused = ({ reason }: UnreadableFile) => Stream.succeed<FileStep<R>>({ _tag: "Refused", where, reason })
      const read = yield* Effect.result(fingerprintOf(file, source.version))
      if (Result.isFailure(read)) return refused(read.failure)
      const entry: ImportedFile = { ...where, fingerprint: read.success }
      const known = yield* imports.find(where.source, where.file)
      const isKnown = isDone(known, entry.fingerprint)
      if (isKnown && again !== true) return Stream.succeed<FileStep<R>>({ _tag: "Skipped", where })
      const from = Option.isSome(known) && !isKnown && known.value.fingerprint === entry.fingerprint ? known.value.done : 0
      let behind = from
      const batches = Stream.map(source.batches(file, from), (batch): FileStep<R> => {
        const records = batch.done - behind
        behind = batch.done
        return { _tag: "Read", entry, batch, records }
      })
      return Stream.succeed<FileStep<R>>({ _tag: "Begun", entry, from }).pipe(
        Stream.concat(batches),
        Stream.concat(Stream.succeed<FileStep<R>>({ _tag: "Ended", entry })),
        Stream.catchTag("UnreadableFile", refused),
      )
    }),
  )

interface Applied {
  readonly counted: Counted
  /** Set by the last step of the file. */
  readonly outcome?: "done" | "skipped" | "refused"
}

const applyStep = Effect.fnUntraced(function* <R>(
  imports: GameImports,
  step: FileStep<R>,
  listener: Listener,
): Effect.fn.Return<Applied, StoreError, R> {
  switch (step._tag) {
    case "Skipped":
      yield* listener({ ...step.where, type: "FileSkipped" })
      return { counted: nothingCounted, outcome: "skipped" }
    case "Begun":
      if (step.from === 0) yield* imports.begin(step.entry)
      yield* listener({ ...named(step.entry), type: "FileBegun", from: step.from })
      return { counted: nothingCounted }
    case "Read": {
      const { entry, records } = step
      const written = yield* writeBatch(imports, entry, step.batch, listener)
      yield* listener({ ...named(entry), type: "BatchDone", records, tally: written.tally })
      return { counted: { ...written, records } }
    }
    case "Ended":
      yield* imports.finish(step.entry)
      yield* listener({ ...named(step.entry), type: "FileDone" })
      return { counted: nothingCounted, outcome: "done" }
    case "Refused":
      yield* listener({ ...step.where, type: "FileRefused", reason: step.reason })
      return { counted: { ...nothingCounted, rejected: 1 }, outcome: "refused" }
  }
})

/** Writes a batch in one transaction. If it fails because of the batch's content, the records are written one by one. */
const writeBatch = Effect.fnUntraced(function* <R>(
  imports: GameImports,
  entry: ImportedFile,
  batch: Batch<R>,
  listener: Listener,
): Effect.fn.Return<Omit<Counted, "records">, StoreError, R> {
  for (const rejection of batch.rejections) yield* listener({ ...named(entry), type: "Rejected", rejection })
  const rejected = batch.rejections.length
  const whole = imports.batch(entry, batch.write, (tally) => ({ done: batch.done, written: writtenOf(tally), rejected }))
  const written = yield* Effect.result(againWhileBusy(whole))
  if (Result.isSuccess(written)) return { tally: written.success, rejected }
  const single = batch.single()
  if (written.failure.isRetryable || single.length === 0) return yield* written.failure

  let tally = nothingWritten
  let unwritten = 0
  for (const { number, record, write } of single) {
    const one = imports.batch(entry, write, (part) => ({ done: number, written: writtenOf(part), rejected: 0 }))
    const result = yield* Effect.result(againWhileBusy(one))
    if (Result.isSuccess(result)) tally = addTally(tally, result.success)
    else if (result.failure.isRetryable) return yield* result.failure
    else {
      unwritten += 1
      yield* listener({ ...named(entry), type: "Rejected", rejection: { number, record, reason: result.failure.message } })
    }
  }
  yield* imports.batch(entry, Effect.void, () => ({ done: batch.done, written: 0, rejected: rejected + unwritten }))
  return { tally, rejected: rejected + unwritten }
})

const named = ({ file, source }: ImportedFile) => ({ source, file })

const writtenOf = ({ created, updated }: Tally): number => created + updated

/** Retries after temporary failures such as a deadlock or a lost connection. */
const againWhileBusy = <A, R>(write: Effect.Effect<A, StoreError, R>): Effect.Effect<A, StoreError, R> =>
  Effect.retry(write, { schedule: Schedule.exponential("200 millis"), times: 4, while: (error) => error.isRetryable })

const isDone = (known: Option.Option<ImportProgress>, fingerprint: string): boolean =>
  Option.exists(known, (progress) => progress.finished && progress.fingerprint === fingerprint)
