/**
 * Imports the files of one source. Files that are already imported are skipped, an interrupted file is resumed after
 * its last completed batch, and records that cannot be written are reported and skipped. If the import is stopped at
 * any point, only the current batch is lost, and the next run imports it. This module is responsible for the order, the
 * transactions and the counts. The source reads and writes the records; the listener shows the progress.
 */
import type { GameName } from "@matchpoint/domain/ids"
import { type GameImports, type ImportedFile, type ImportProgress, Imports } from "@matchpoint/store/Imports"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Clock, Effect, Option, Result, Schedule, Stream } from "effect"
import { fingerprintOf } from "./findFiles.ts"
import {
  addTally,
  type Batch,
  type ImportFile,
  type ImportSource,
  nothingWritten,
  type Tally,
  type UnreadableFile,
} from "./ImportSource.ts"
import type { ImportEvent, SourceSummary } from "./Progress.ts"

export type Listener = (event: ImportEvent) => Effect.Effect<void, StoreError>

export interface ImportOptions {
  /** True to import files again even if they have not changed. */
  readonly again?: boolean | undefined
}

export const importSource = Effect.fn("importSource")(function* <R>(
  game: GameName,
  source: ImportSource<R>,
  files: ReadonlyArray<ImportFile>,
  listener: Listener,
  options: ImportOptions = {},
) {
  const imports = (yield* Imports).of(game)
  const startedAt = yield* Clock.currentTimeMillis
  const counts = { done: 0, skipped: 0, refused: 0 }
  let total: Counted = nothingCounted
  yield* listener({ type: "SourceBegun", source: source.name, files: files.length })
  for (const file of files) {
    const counted = yield* importFile(imports, source, file, listener, options)
    counts[counted.outcome] += 1
    total = addCounted(total, counted)
  }
  const milliseconds = (yield* Clock.currentTimeMillis) - startedAt
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

interface FileCounted extends Counted {
  readonly outcome: "done" | "skipped" | "refused"
}

const importFile = Effect.fnUntraced(function* <R>(
  imports: GameImports,
  source: ImportSource<R>,
  file: ImportFile,
  listener: Listener,
  { again }: ImportOptions,
): Effect.fn.Return<FileCounted, StoreError, R> {
  const where = { source: source.name, file: file.name }
  const refused = Effect.fnUntraced(function* (error: UnreadableFile, before: Counted) {
    yield* listener({ ...where, type: "FileRefused", reason: error.reason })
    return { ...before, rejected: before.rejected + 1, outcome: "refused" as const }
  })

  const read = yield* Effect.result(fingerprintOf(file, source.version))
  if (Result.isFailure(read)) return yield* refused(read.failure, nothingCounted)
  const entry: ImportedFile = { ...where, fingerprint: read.success }
  const known = yield* imports.find(where.source, where.file)
  const isKnown = isDone(known, entry.fingerprint)
  if (isKnown && again !== true) {
    yield* listener({ ...where, type: "FileSkipped" })
    return { ...nothingCounted, outcome: "skipped" }
  }
  const from = Option.isSome(known) && !isKnown && known.value.fingerprint === entry.fingerprint ? known.value.done : 0
  if (from === 0) yield* imports.begin(entry)
  yield* listener({ ...where, type: "FileBegun", from })

  let counted = nothingCounted
  let behind = from
  return yield* Stream.runForEach(source.batches(file, from), (batch) =>
    Effect.gen(function* () {
      const written = yield* writeBatch(imports, entry, batch, listener)
      const records = batch.done - behind
      behind = batch.done
      counted = addCounted(counted, { ...written, records })
      yield* listener({ ...where, type: "BatchDone", records, tally: written.tally })
    }),
  ).pipe(
    Effect.andThen(imports.finish(entry)),
    Effect.andThen(listener({ ...where, type: "FileDone" })),
    Effect.map((): FileCounted => ({ ...counted, outcome: "done" })),
    Effect.catchTag("UnreadableFile", (error) => refused(error, counted)),
  )
})

/**
 * Writes a batch in one transaction. If the transaction fails because of the batch's content, writes the records one by
 * one.
 */
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
  if (written.failure.isRetryable || batch.single.length === 0) return yield* written.failure

  let tally = nothingWritten
  let unwritten = 0
  for (const { number, record, write } of batch.single) {
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

/** Retries a write after temporary failures such as a deadlock or a lost connection. */
const againWhileBusy = <A, R>(write: Effect.Effect<A, StoreError, R>): Effect.Effect<A, StoreError, R> =>
  Effect.retry(write, { schedule: Schedule.exponential("200 millis"), times: 4, while: (error) => error.isRetryable })

const isDone = (known: Option.Option<ImportProgress>, fingerprint: string): boolean =>
  Option.exists(known, (progress) => progress.finished && progress.fingerprint === fingerprint)
