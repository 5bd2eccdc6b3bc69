/**
 * What can be imported: a source says which files it takes, how a file becomes records, and how records are written. It does not own
 * where files are, transactions, resuming, counting, progress, or what follows from all of it (`derive.ts`): those are the
 * importer's, the same for all.
 *
 * Adding one: `defineSource({ ... })` in a folder of its own, and a line in the `ImportSection` of its game.
 */
import { unstorableTextIn } from "@matchpoint/domain/storableText"
import type { StoreError } from "@matchpoint/store/StoreError"
import { Effect, Result, Schema, Stream } from "effect"

/** A file of what is imported. Its content is read through `files.ts`. */
export interface ImportFile {
  /** Relative to what was imported, with `/`. */
  readonly name: string
  readonly path: string
  /** Files read along with it, by their names: those of `companions` that are there. */
  readonly companions: ReadonlyMap<string, ImportFile>
}

/** Why a record is not written. `record`: what it looks like; shortened where it is told. */
export interface Rejection {
  readonly reason: string
  readonly record: unknown
}

export type ReadRecord<A> = Result.Result<A, Rejection>

/** The rest of a file cannot be read; what was read before stays. `reason`: for people, without the file's name. */
export class UnreadableFile extends Schema.TaggedError<UnreadableFile>()("UnreadableFile", { reason: Schema.String }) {
  override get message(): string {
    return this.reason
  }
}

/** What writing did to the entities it is about. */
export interface Tally {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
}

export interface SourceSpec<A, R> {
  /** As in `npm run import -- <game> <name> <path>`, and in provenance: `source` of what it writes. Never changes. */
  readonly name: string
  /** One line for people: what it is, and which files. */
  readonly summary: string
  /** Counts up when the same file would be read differently: files that are done are then imported again. */
  readonly version: number
  /** Whether a file found in a folder is one of its own. A file given by itself is always tried. */
  readonly takes: (name: string) => boolean
  /** Files with a lower number go first; those of one number by name. Default: all the same. */
  readonly order?: ((name: string) => number) | undefined
  /** Which of the files `beside` it are read along with this one: it is imported again when they change. */
  readonly companions?: ((name: string, beside: ReadonlyArray<string>) => ReadonlyArray<string>) | undefined
  /** Records written in one transaction, at most. Default 200. */
  readonly batchSize?: number | undefined
  /** The same file gives the same records in the same order: an interrupted import goes on by their number. */
  readonly read: (file: ImportFile) => Stream.Stream<ReadRecord<A>, UnreadableFile, R>
  /** In a transaction of the importer's. The same records again change nothing. */
  readonly write: (records: ReadonlyArray<A>) => Effect.Effect<Tally, StoreError, R>
}

/** A source as the importer uses it: what its records are is its own business. */
export interface ImportSource<R> {
  readonly name: string
  readonly summary: string
  readonly version: number
  readonly takes: (name: string) => boolean
  readonly order: (name: string) => number
  readonly companions: ((name: string, beside: ReadonlyArray<string>) => ReadonlyArray<string>) | undefined
  /** The file's records after the first `done`. */
  readonly batches: (file: ImportFile, done: number) => Stream.Stream<Batch<R>, UnreadableFile, R>
}

export interface Batch<R> {
  /** Records of the file that are done when this batch is. */
  readonly done: number
  readonly rejections: ReadonlyArray<NumberedRejection>
  readonly write: Effect.Effect<Tally, StoreError, R>
  /** The same one by one, to find out which of them cannot be written. */
  readonly single: ReadonlyArray<{ readonly number: number; readonly record: unknown; readonly write: Effect.Effect<Tally, StoreError, R> }>
}

/** `number`: of the record in its file, from 1. */
export interface NumberedRejection extends Rejection {
  readonly number: number
}

export const nothingWritten: Tally = { created: 0, updated: 0, unchanged: 0 }

/** Of single outcomes, as `ArchiveWriter` answers them. */
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
    single: accepted.map(({ number, value }) => ({ number, record: value, write: Effect.suspend(() => write([value])) })),
  }
}
