/**
 * The records of one stream on disk, in segment files named after the sequence of their first record. After a crash, it
 * truncates an incomplete write at the end and reports any other damage as an error. It does not deduplicate or retain
 * by size, and does not support concurrent writes: `EventLogFile` must call `write` from one fiber only.
 */
import { type FileHandle, open, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { makeDirectory } from "@matchpoint/files/makeDirectory"
import { Effect, type Scope } from "effect"
import { LogError, type LogRecord } from "../EventLog.ts"
import { encodedLength, encodeInto, header, scan } from "./RecordCodec.ts"

export interface JournalOptions {
  readonly stream: string
  readonly directory: string
  /** `always`: complete after fdatasync. `none`: in the page cache, which survives a crash of the process only. */
  readonly sync: "none" | "always"
  /** A segment that exceeds this size is closed, and a new one is started. */
  readonly segmentBytes: number
}

interface Segment {
  readonly path: string
  readonly first: number
}

/** Approximate bytes per write, so that a burst of large records does not double the memory in use. */
const bufferBytes = 4 * 1024 * 1024

export class Journal {
  private readonly options: JournalOptions
  private readonly segments: Array<Segment>
  private file: FileHandle
  private bytes: number
  /** A failed write that could not be undone. Every later write fails with this error. */
  private broken: unknown

  private constructor(options: JournalOptions, segments: Array<Segment>, file: FileHandle, bytes: number) {
    this.options = options
    this.segments = segments
    this.file = file
    this.bytes = bytes
  }

  /**
   * Opens or creates the journal. First calls `onFirst` with the sequence of the oldest record or, if there are none,
   * of the next one. Then calls `onRecord` for every record in order.
   */
  static readonly open = (
    options: JournalOptions,
    onFirst: (sequence: number) => void,
    onRecord: (record: LogRecord) => void,
  ): Effect.Effect<Journal, LogError, Scope.Scope> =>
    Effect.gen(function* () {
      const { segments, torn } = yield* attempt("open", options, () => Journal.load(options, onFirst, onRecord))
      if (torn !== undefined) {
        yield* Effect.logWarning(`removed ${torn.bytes} bytes of an interrupted write from the end of ${torn.path}`)
      }
      return yield* Effect.acquireRelease(
        attempt("open", options, async () => {
          const active = segments.at(-1) ?? (await create(options, 1))
          const file = await open(active.path, "r+")
          return new Journal(options, segments.length === 0 ? [active] : segments, file, (await file.stat()).size)
        }),
        (journal) =>
          attempt("open", options, () => journal.close()).pipe(
            Effect.catch((error) => Effect.logWarning(`closing the journal of ${options.stream} failed`, error)),
          ),
      )
    })

  /** Writes all records or none. If a write fails and its bytes cannot be removed, every later write fails too. */
  write(records: ReadonlyArray<LogRecord>): Effect.Effect<void, LogError> {
    return attempt("append", this.options, async () => {
      if (this.broken !== undefined) throw this.broken
      const next = records[0]?.sequence
      if (next === undefined) return
      if (this.bytes >= this.options.segmentBytes) await this.rotate(next)
      const before = this.bytes
      try {
        for (const buffer of encodeAll(records)) await this.writeBuffer(buffer)
        if (this.options.sync === "always") await this.file.datasync()
      } catch (cause) {
        this.broken = cause
        await this.file.truncate(before)
        this.bytes = before
        this.broken = undefined
        throw cause
      }
    })
  }

  /** Removes the segments whose records are all older than this sequence. */
  dropBefore(sequence: number): Effect.Effect<void, LogError> {
    const second = this.segments[1]
    if (second === undefined || second.first > sequence) return Effect.void
    return attempt("append", this.options, async () => {
      let oldest = this.segments[0]
      let next = this.segments[1]
      while (oldest !== undefined && next !== undefined && next.first <= sequence) {
        await rm(oldest.path, { force: true })
        this.segments.shift()
        oldest = this.segments[0]
        next = this.segments[1]
      }
    })
  }

  private async writeBuffer(buffer: Buffer): Promise<void> {
    let done = 0
    while (done < buffer.length) {
      const { bytesWritten } = await this.file.write(buffer, done, buffer.length - done, this.bytes)
      done += bytesWritten
      this.bytes += bytesWritten
    }
  }

  private async rotate(first: number): Promise<void> {
    // Before a newer segment exists: recovery accepts an incomplete write only at the end of the last segment.
    await this.file.datasync()
    const segment = await create(this.options, first)
    const file = await open(segment.path, "r+")
    await this.file.close()
    this.file = file
    this.bytes = header.length
    this.segments.push(segment)
  }

  private async close(): Promise<void> {
    await this.file.datasync()
    await this.file.close()
  }

  private static async load(options: JournalOptions, onFirst: (sequence: number) => void, onRecord: (record: LogRecord) => void) {
    await makeDirectory(options.directory)
    const names = (await readdir(options.directory)).filter((name) => /^\d{16}\.log$/.test(name)).sort()
    const segments = names.map((name): Segment => ({ path: join(options.directory, name), first: Number(name.slice(0, 16)) }))
    let expected = segments[0]?.first ?? 1
    let torn: { readonly path: string; readonly bytes: number } | undefined
    onFirst(expected)
    for (const segment of segments) {
      if (segment.first !== expected) {
        throw corrupt(
          options,
          `${segment.path} does not continue the previous file: records ${expected} to ${segment.first - 1} are missing`,
        )
      }
      const source = await readFile(segment.path)
      const { end, state } = scan(source, expected, (record) => {
        onRecord(record)
        expected++
      })
      if (state === "whole") continue
      if (state === "damaged" || segment !== segments.at(-1))
        throw corrupt(options, `${segment.path} is damaged at byte ${end} (record ${expected})`)
      torn = { path: segment.path, bytes: source.length - end }
      if (end >= header.length) await truncate(segment.path, end)
      else await writeFile(segment.path, header)
    }
    return { segments, torn }
  }
}

/** Overwrites an existing file. Such a file holds no records: the first write into it failed in an earlier attempt. */
const create = async (options: JournalOptions, first: number): Promise<Segment> => {
  const path = join(options.directory, `${String(first).padStart(16, "0")}.log`)
  await writeFile(path, header, { flush: options.sync === "always" })
  if (options.sync === "always") {
    // Without syncing the directory, a crash of the machine could lose the whole file and not only its content.
    const directory = await open(options.directory, "r")
    await directory.sync()
    await directory.close()
  }
  return { path, first }
}

const encodeAll = function* (records: ReadonlyArray<LogRecord>): Generator<Buffer> {
  let group: Array<LogRecord> = []
  let size = 0
  for (const record of records) {
    group.push(record)
    size += encodedLength(record)
    if (size < bufferBytes) continue
    yield encode(group, size)
    group = []
    size = 0
  }
  if (size > 0) yield encode(group, size)
}

const encode = (records: ReadonlyArray<LogRecord>, size: number): Buffer => {
  const buffer = Buffer.allocUnsafe(size)
  let offset = 0
  for (const record of records) offset = encodeInto(record, buffer, offset)
  return buffer
}

/** The message includes the remedy, so that the operator needs no manual during an incident. */
const corrupt = (options: JournalOptions, damage: string): LogError =>
  new LogError({
    operation: "open",
    target: options.stream,
    reason: "Corrupt",
    retryable: false,
    detail:
      `${damage}. Restore ${options.directory} from a backup, or move it away to start with an empty ${options.stream}. ` +
      "Matches that cannot continue without it are then ended; the database is not affected",
  })

const attempt = <A>(operation: "open" | "append", options: JournalOptions, run: () => Promise<A>): Effect.Effect<A, LogError> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) =>
      cause instanceof LogError
        ? cause
        : new LogError({
            operation,
            target: options.stream,
            reason: "Unavailable",
            retryable: true,
            detail: `the journal in ${options.directory} cannot be ${operation === "open" ? "opened" : "written"} (${
              cause instanceof Error ? cause.message : String(cause)
            })`,
            cause,
          }),
  })
