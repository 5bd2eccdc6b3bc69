/**
 * Event log driver inside the process, without a server. Records are in memory and in a journal on disk. Every
 * acknowledged record survives a restart, even if the process was killed. Only one process at a time can open a
 * directory. A restart forgets the ids of records that were dropped because of `maxBytes`, so these are no longer
 * detected as duplicates.
 */
import { join } from "node:path"
import { type DirectoryLockError, type DirectoryLocked, lockDirectory } from "@matchpoint/files/DirectoryLock"
import { type Cause, Clock, Deferred, Effect, Fiber, identity, Layer, Queue, Result, type Scope } from "effect"
import { type Appended, EventLog, LogError, type LogRecord, type StreamSpec } from "./EventLog.ts"
import { Journal } from "./file/Journal.ts"
import { conflict, invalid, LocalStreams, specProblem } from "./local/LocalStreams.ts"
import { RetainedLog } from "./local/RetainedLog.ts"

export interface Options {
  readonly streams: ReadonlyArray<StreamSpec>
  /** Created if it does not exist. Each stream has a folder in it. */
  readonly directory: string
  /** Subject under which a stored record is read, for records of earlier versions. By default the stored one. */
  readonly currentSubject?: (stored: string) => string
  /**
   * Failures that an acknowledged append survives. With `none` (the default), it survives any termination of the
   * process, because the operating system holds the bytes. With `always`, it also survives a crash of the machine, at
   * the cost of one fdatasync per batch of appends.
   */
  readonly sync?: "none" | "always"
  /** Maximum number of appends that wait to be written. Further callers are suspended. Default 4096. */
  readonly queueSize?: number
  /**
   * Size of a journal file in bytes. A stream takes at most `maxBytes` plus slightly more than one journal file on
   * disk. The default is an eighth of `maxBytes`, but at least 64 KiB and at most 16 MiB.
   */
  readonly segmentBytes?: number
}

interface Pending {
  readonly subject: string
  readonly id: string
  readonly data: Uint8Array
  /** See `AppendOptions.lastOfSubject`. Undefined if the append does not depend on the newest record. */
  readonly expected: number | undefined
  readonly done: Deferred.Deferred<Appended, LogError>
}

interface FileStream {
  readonly log: RetainedLog
  readonly queue: Queue.Queue<Pending, Cause.Done>
}

/** Appends per write, at most. */
const batchSize = 512

export const layer = (options: Options): Layer.Layer<EventLog, LogError> =>
  Layer.effect(
    EventLog,
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const problem = specProblem(options.streams)
      if (problem !== undefined) return yield* invalid("open", options.directory, problem)
      yield* Effect.mapError(lockDirectory(options.directory), lockFailed)
      const streams = new LocalStreams(yield* Effect.forEach(options.streams, (spec) => openStream(spec, options, clock)), () =>
        clock.currentTimeMillisUnsafe(),
      )

      const append: EventLog["Service"]["append"] = (subject, id, data, options) =>
        Effect.suspend(() => {
          const routed = streams.route(subject, id, data)
          if (routed instanceof LogError) return Effect.fail(routed)
          const done = Deferred.makeUnsafe<Appended, LogError>()
          return Effect.flatMap(Queue.offer(routed.queue, { subject, id, data, expected: options?.lastOfSubject, done }), (accepted) =>
            accepted ? Deferred.await(done) : Effect.fail(closed(subject)),
          )
        })

      return EventLog.of({ append, ...streams.reading })
    }),
  )

const openStream = (spec: StreamSpec, options: Options, clock: Clock.Clock): Effect.Effect<FileStream, LogError, Scope.Scope> =>
  Effect.gen(function* () {
    const now = clock.currentTimeMillisUnsafe()
    const { currentSubject = identity } = options
    let log = new RetainedLog(spec, { now })
    const journal = yield* Journal.open(
      {
        stream: spec.name,
        directory: join(options.directory, spec.name),
        sync: options.sync ?? "none",
        segmentBytes: options.segmentBytes ?? Math.min(16 * 1024 * 1024, Math.max(64 * 1024, spec.maxBytes / 8)),
      },
      (first) => {
        log = new RetainedLog(spec, { now, first })
      },
      (record) => log.restore({ ...record, subject: currentSubject(record.subject) }, now),
    )
    log.expire(now)
    const queue = yield* Queue.bounded<Pending, Cause.Done>(options.queueSize ?? 4_096)
    // Ending the queue instead of interrupting the writer completes the appends that were already accepted.
    yield* Effect.acquireRelease(Effect.forkDetach(writeAll(log, journal, queue, clock)), (writer) =>
      Effect.andThen(Queue.end(queue), Fiber.await(writer)),
    )
    return { log, queue }
  })

/** Writes the waiting appends until the queue ends. Nothing else writes to the log and its journal. */
const writeAll = (
  log: RetainedLog,
  journal: Journal,
  queue: Queue.Queue<Pending, Cause.Done>,
  clock: Clock.Clock,
): Effect.Effect<never, Cause.Done> =>
  Queue.takeBetween(queue, 1, batchSize).pipe(
    Effect.flatMap((batch) => writeBatch(log, journal, batch, clock.currentTimeMillisUnsafe())),
    Effect.forever,
  )

const writeBatch = Effect.fnUntraced(function* (log: RetainedLog, journal: Journal, batch: ReadonlyArray<Pending>, appendedAt: number) {
  const records: Array<LogRecord> = []
  const answers: Array<Appended | LogError> = []
  const inBatch = new Map<string, number>()
  const newestInBatch = new Map<string, number>()
  for (const { data, expected, id, subject } of batch) {
    const seen = log.seen.find(id, appendedAt) ?? inBatch.get(id)
    const newest = expected === undefined ? 0 : (newestInBatch.get(subject) ?? log.lastOf(subject))
    if (seen === undefined && expected !== undefined && expected !== newest) {
      answers.push(conflict(subject, expected, newest))
      continue
    }
    const sequence = seen ?? log.last + 1 + records.length
    answers.push({ sequence, duplicate: seen !== undefined })
    if (seen !== undefined) continue
    inBatch.set(id, sequence)
    newestInBatch.set(subject, sequence)
    records.push({ subject, id, sequence, data, appendedAt })
  }
  const last = log.last
  const written = yield* Effect.result(journal.write(records))
  // A record becomes visible to consumers only after it was written. A sequence that a consumer has seen is therefore
  // never given to another record.
  if (Result.isSuccess(written)) for (const record of records) log.append(record)
  for (const [i, { done }] of batch.entries()) {
    const answer = answers[i]
    if (answer === undefined) continue
    if (answer instanceof LogError) {
      // If the write failed, the record that this append conflicts with may not be stored either. So it fails with the
      // error of the write and not with `Conflict`.
      Deferred.doneUnsafe(done, Effect.fail(Result.isFailure(written) ? written.failure : answer))
      continue
    }
    const failed = Result.isFailure(written) && answer.sequence > last
    Deferred.doneUnsafe(done, failed ? Effect.fail(written.failure) : Effect.succeed(answer))
  }
  log.wake()
  yield* journal
    .dropBefore(log.first)
    .pipe(
      Effect.catch((error) =>
        Effect.logWarning(`dropped records of ${log.spec.name} cannot be removed from disk; the next append retries`, error),
      ),
    )
})

const lockFailed = (cause: DirectoryLocked | DirectoryLockError): LogError =>
  new LogError({
    operation: "open",
    target: cause.directory,
    reason: cause._tag === "DirectoryLocked" ? "Locked" : "Unavailable",
    retryable: true,
    detail: cause.detail,
    cause,
  })

const closed = (subject: string): LogError =>
  new LogError({ operation: "append", target: subject, reason: "Closed", retryable: false, detail: "the log was closed" })
