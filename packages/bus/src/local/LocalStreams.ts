/**
 * The logs of the memory and file drivers: routing by subject, validation of appends, and reading. The drivers append,
 * because they differ in durability.
 */
import { Array as Arr, Cause, Effect, Option, Stream } from "effect"
import {
  dedupeWindowMillis,
  type EventLog,
  type Filter,
  type From,
  LogError,
  type LogRecord,
  maxDataBytes,
  type StreamSpec,
} from "../EventLog.ts"
import { contains, isExact, isFilter, isRecordId, isStreamName, isSubject, matcher, overlaps } from "../Subject.ts"
import * as LogCursor from "./LogCursor.ts"
import { chargeOf, type RetainedLog } from "./RetainedLog.ts"

type Reading = Pick<EventLog["Service"], "consume" | "read" | "last" | "bounds" | "now">

/** Drivers extend this type with their own data, such as the queue of the file driver's writer. */
export interface LocalStream {
  readonly log: RetainedLog
}

export class LocalStreams<S extends LocalStream> {
  private readonly byName: ReadonlyMap<string, S>
  private readonly routes: ReadonlyArray<{ readonly stream: S; readonly keeps: (subject: string) => boolean }>

  private readonly clock: () => number

  /** `clock` must be the clock that sets `appendedAt`, in epoch milliseconds. */
  constructor(streams: ReadonlyArray<S>, clock: () => number) {
    this.clock = clock
    this.byName = new Map(streams.map((stream) => [stream.log.spec.name, stream]))
    this.routes = streams.flatMap((stream) => stream.log.spec.subjects.map((filter) => ({ stream, keeps: matcher(filter) })))
  }

  /**
   * An error if the append is invalid. If the subject has records, at most one map lookup per filter of the streams.
   */
  route(subject: string, id: string, data: Uint8Array): S | LogError {
    const stream = this.find(subject)
    if (stream === undefined) return invalid("append", subject, "no stream stores this subject")
    if (!isRecordId(id)) return invalid("append", subject, `not a record id: ${JSON.stringify(id.slice(0, 80))}`)
    return data.byteLength <= maxDataBytes && chargeOf(subject, id, data) <= stream.log.spec.maxBytes
      ? stream
      : tooLarge(subject, stream.log.spec, data)
  }

  readonly reading: Reading = {
    consume: (stream, filter, from) => this.follow("consume", stream, filter, from, () => Number.POSITIVE_INFINITY),
    read: (stream, filter, from) => this.follow("read", stream, filter, from, (log) => log.last),
    last: (stream, filter) =>
      Effect.suspend(() => {
        const log = this.byName.get(stream)?.log
        if (log === undefined) return unknownStream("last", stream)
        const problem = filterProblem(log.spec, filter)
        if (problem !== undefined) return invalid("last", stream, problem)
        log.expire(this.clock())
        return Effect.succeed(Option.fromUndefinedOr(log.records.get(log.newest(filter))))
      }),
    bounds: (stream) =>
      Effect.suspend(() => {
        const log = this.byName.get(stream)?.log
        if (log === undefined) return unknownStream("bounds", stream)
        log.expire(this.clock())
        return Effect.succeed({ first: log.first, last: log.last })
      }),
    now: Effect.sync(() => Math.floor(this.clock())),
  }

  private find(subject: string): S | undefined {
    for (const route of this.routes) if (route.stream.log.subjects.has(subject)) return route.stream
    return isSubject(subject) ? this.routes.find((route) => route.keeps(subject))?.stream : undefined
  }

  private follow(
    operation: "consume" | "read",
    stream: string,
    filter: Filter,
    from: From,
    until: (log: RetainedLog) => number,
  ): Stream.Stream<LogRecord, LogError> {
    return Stream.unwrap(
      Effect.gen({ self: this }, function* () {
        const log = this.byName.get(stream)?.log
        if (log === undefined) return yield* unknownStream(operation, stream)
        const problem = filterProblem(log.spec, filter)
        if (problem !== undefined) return yield* invalid(operation, stream, problem)
        log.expire(this.clock())
        if (from._tag === "After" && from.sequence > log.last) {
          return yield* historyLost(operation, stream, endsBefore(from.sequence, log.last))
        }
        const last = until(log)
        const cursor = yield* Effect.acquireRelease(
          Effect.sync(() => LogCursor.open(log, filter, from)),
          (opened) => Effect.sync(() => opened.close()),
        )
        const more = Effect.callback<void>((resume) => {
          cursor.wait(() => resume(Effect.void))
          return Effect.sync(() => cursor.cancelWait())
        })
        const pull: Effect.Effect<Arr.NonEmptyReadonlyArray<LogRecord>, LogError | Cause.Done> = Effect.suspend(() => {
          const step = cursor.next(last)
          if (step === "behind") return Effect.andThen(Effect.yieldNow, pull)
          if (step === "dropped") return droppedUnseen(operation, log, filter)
          if (step === "end") return last === Number.POSITIVE_INFINITY ? Effect.andThen(more, pull) : Cause.done()
          return Effect.succeed(step)
        })
        return Stream.fromPull(Effect.succeed(pull))
      }),
    )
  }
}

/** Describes the first problem. The rules are those of a NATS server, so that a valid configuration works with every driver. */
export const specProblem = (specs: ReadonlyArray<StreamSpec>): string | undefined => {
  const taken: Array<{ readonly name: string; readonly filter: string }> = []
  for (const spec of specs) {
    if (!isStreamName(spec.name)) return `not a stream name: ${spec.name}`
    if (taken.some((other) => other.name === spec.name)) return `stream ${spec.name} is defined twice`
    if (spec.subjects.length === 0) return `stream ${spec.name} has no subjects`
    if (!(spec.maxBytes >= 1_024)) return `stream ${spec.name} needs maxBytes of at least 1024`
    if (spec.maxAgeMs !== undefined && !(spec.maxAgeMs >= dedupeWindowMillis)) {
      return `stream ${spec.name} needs maxAgeMs of at least ${dedupeWindowMillis}, the time for which ids are remembered`
    }
    for (const filter of spec.subjects) {
      if (!isFilter(filter)) return `stream ${spec.name}: not a subject: ${filter}`
      const other = taken.find((it) => overlaps(it.filter, filter))
      if (other !== undefined) return `streams ${other.name} and ${spec.name} both store subjects that match ${filter}`
      taken.push({ name: spec.name, filter })
    }
  }
  return undefined
}

export const tooLarge = (subject: string, spec: StreamSpec, data: Uint8Array): LogError =>
  new LogError({
    operation: "append",
    target: subject,
    reason: "TooLarge",
    retryable: false,
    detail: `a record of ${data.byteLength} bytes exceeds the size limit of stream ${spec.name}`,
  })

/** `what` states why the log is not the one that the reader has read. */
export const historyLost = (operation: LogError["operation"], stream: string, what: string): LogError =>
  new LogError({ operation, target: stream, reason: "HistoryLost", retryable: false, detail: `${what}, so it is a different log` })

export const endsBefore = (reached: number, last: number): string => `the log had record ${reached} and now ends at ${last}`

export const conflict = (subject: string, expected: number, found: number): LogError =>
  new LogError({
    operation: "append",
    target: subject,
    reason: "Conflict",
    retryable: false,
    detail: `expected record ${expected} to be the newest of the subject, found ${found}`,
  })

/** The reason why the stream cannot be consumed with this filter. */
export const filterProblem = (spec: StreamSpec, filter: Filter): string | undefined => {
  for (const pattern of Arr.ensure(filter)) {
    if (!isFilter(pattern)) return `not a filter: ${pattern}`
    const known = spec.subjects.some((own) => (isExact(pattern) ? contains(own, pattern) : overlaps(own, pattern)))
    if (!known) return `no subject of the stream matches ${pattern}`
  }
  return undefined
}

export const invalid = (operation: LogError["operation"], target: string, detail: string): LogError =>
  new LogError({ operation, target, reason: "Invalid", retryable: false, detail })

export const unknownStream = (operation: LogError["operation"], stream: string): LogError => invalid(operation, stream, "no such stream")

const droppedUnseen = (operation: LogError["operation"], log: RetainedLog, filter: Filter): LogError =>
  new LogError({
    operation,
    target: log.spec.name,
    reason: "Dropped",
    retryable: false,
    detail: `the consumer of ${Arr.ensure(filter).join(", ")} fell behind: records it had not read were dropped; the oldest stored record is ${log.first}`,
  })
