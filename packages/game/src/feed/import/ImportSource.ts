/**
 * A kind of data that can be imported: which files it accepts, how a file is converted to records, and how records are
 * written. The importer is responsible for the location of files, transactions, resuming, counting and progress.
 * `derive.ts` runs the computations that follow an import.
 *
 * To add a source, create a folder with a `defineSource({ ... })` call and add a line to the `ImportSection` of its
 * game.
 */
import { unstorableTextIn } from "@matchpoint/domain/storableText"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Effect, Result, Schema, Stream } from "effect"

/** `files.ts` reads the content. */
export interface ImportFile {
  /** Path relative to the imported folder, with `/` as the separator. */
  readonly name: string
  readonly path: string
  /** Files that are read together with this one, as far as they exist, by name. */
  readonly companions: ReadonlyMap<string, ImportFile>
}

/** Why a record is not written. `record` is the whole record as read; messages show it truncated. */
export interface Rejection {
  readonly reason: string
  readonly record: unknown
}

export type ReadRecord<A> = Result.Result<A, Rejection>

/** Stops the reading of a file, after its earlier records. `reason` is for the user, without the file name. */
export class UnreadableFile extends Schema.TaggedError<UnreadableFile>()("UnreadableFile", { reason: Schema.String }) {
  override get message(): string {
    return this.reason
  }
}

/** Numbers of entities that records have created, updated and left unchanged. */
export interface Tally {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
}

export interface SourceSpec<A, R> {
  /** Name in `npm run import -- <game> <name> <path>` and in the `source` of stored provenance. It must never change. */
  readonly name: string
  /** One line for the user: what the source is and which files it consists of. */
  readonly summary: string
  /** Increase it when the same file would be read differently, so that files of an earlier version are imported again. */
  readonly version: number
  /** Whether a file of a folder belongs to this source. One that the command line names is imported in any case. */
  readonly takes: (name: string) => boolean
  /** Files with lower numbers are read first, those with equal numbers by name. By default, all numbers are equal. */
  readonly order?: ((name: string) => number) | undefined
  /** Names of the companion files, out of `others`. If a companion file changes, the file is imported again. */
  readonly companions?: ((name: string, others: ReadonlyArray<string>) => ReadonlyArray<string>) | undefined
  /** Records per transaction, 200 by default. */
  readonly batchSize?: number | undefined
  /** The same file must give the same records in the same order, because an interrupted import resumes by record number. */
  readonly read: (file: ImportFile) => Stream.Stream<ReadRecord<A>, UnreadableFile, R>
  /** Runs in a transaction of the importer. Writing the same records again must change nothing. */
  readonly write: (records: ReadonlyArray<A>) => Effect.Effect<Tally, StoreError, R>
}

/** The importer's view of a source, without the type of its records. */
export interface ImportSource<R> {
  readonly name: string
  readonly summary: string
  readonly version: number
  readonly takes: (name: string) => boolean
  readonly order: (name: string) => number
  readonly companions: ((name: string, others: ReadonlyArray<string>) => ReadonlyArray<string>) | undefined
  /** Skips the first `done` records. */
  readonly batches: (file: ImportFile, done: number) => Stream.Stream<Batch<R>, UnreadableFile, R>
}

export interface Batch<R> {
  /** Records of the file that have been processed after this batch, including those of earlier batches. */
  readonly done: number
  readonly rejections: ReadonlyArray<NumberedRejection>
  readonly write: Effect.Effect<Tally, StoreError, R>
  /** One write per record. If writing the whole batch fails, they run one by one to find the records that cause the failure. */
  readonly single: () => ReadonlyArray<{
    readonly number: number
    readonly record: unknown
    readonly write: Effect.Effect<Tally, StoreError, R>
  }>
}

/** The number of the record in the file counts from 1. */
export interface NumberedRejection extends Rejection {
  readonly number: number
}

export const nothingWritten: Tally = { created: 0, updated: 0, unchanged: 0 }

/** Counts the outcomes that `ArchiveWriter` has returned. */
export const tallyOf = (written: ReadonlyArray<{ readonly outcome: keyof Tally }>): Tally => {
  const tally = { ...nothingWritten }
  for (const { outcome } of written) tally[outcome] += 1
  return tally
}

export const addTally = (one: Tally, other: Tally): Tally => ({
  created: one.created + other.created,
  updated: one.updated + other.updated,
  unchanged: one.unchanged + other.unchanged,
})

export const accept = <A>(value: A): ReadRecord<A> => Result.succeed(value)

export const reject = (reason: string, record: unknown): ReadRecord<never> => Result.fail({ reason, record })

const DEFAULT_BATCH = 200

export const defineSource = <A, R = never>(spec: SourceSpec<A, R>): ImportSource<R> => ({
  name: spec.name,
  summary: spec.summary,
  version: spec.version,
  takes: spec.takes,
  order: spec.order ?? (() => 0),
  companions: spec.companions,
  batches: (file, done) =>
    spec.read(file).pipe(
      Stream.zipWithIndex,
      Stream.drop(done),
      Stream.grouped(spec.batchSize ?? DEFAULT_BATCH),
      Stream.map((records) => batchOf(spec, records)),
    ),
})

const batchOf = <A, R>(spec: SourceSpec<A, R>, records: ReadonlyArray<readonly [ReadRecord<A>, number]>): Batch<R> => {
  const accepted: Array<{ readonly number: number; readonly value: A }> = []
  const rejections: Array<NumberedRejection> = []
  for (const [read, index] of records) {
    const number = index + 1
    if (Result.isFailure(read)) rejections.push({ ...read.failure, number })
    else {
      const unstorable = unstorableTextIn(read.success)
      if (unstorable === undefined) accepted.push({ number, value: read.success })
      else rejections.push({ number, reason: `${unstorable.path.join(".")} ${unstorable.issue}`, record: read.success })
    }
  }
  const write = (values: ReadonlyArray<A>) => (values.length === 0 ? Effect.succeed(nothingWritten) : spec.write(values))
  return {
    done: (records.at(-1)?.[1] ?? -1) + 1,
    rejections,
    write: Effect.suspend(() => write(accepted.map(({ value }) => value))),
    single: () => accepted.map(({ number, value }) => ({ number, record: value, write: Effect.suspend(() => write([value])) })),
  }
}
