/**
 * Lets exactly one request of one process fail: the n-th of all that it sends to the log and to the database. All others
 * pass. Without a number, it only lists the requests.
 */
import { EventLog, LogError, type LogRecord } from "@matchpoint/bus/EventLog"
import { Array as Arr, Effect, Stream } from "effect"

type Log = EventLog["Service"]

/** How a request fails. */
export interface Failure {
  readonly name: string
  /** The work is done, and only the answer is lost. A reader receives its first records. */
  readonly takesEffect: boolean
  /** Time until the failure is reported, ms. */
  readonly afterMs: number
}

export const failures: ReadonlyArray<Failure> = [
  { name: "fails without effect", takesEffect: false, afterMs: 0 },
  { name: "fails after its effect", takesEffect: true, afterMs: 0 },
  { name: "fails without effect after 12 s", takesEffect: false, afterMs: 12_000 },
  { name: "fails 12 s after its effect", takesEffect: true, afterMs: 12_000 },
]

export class SingleFault {
  readonly #failing: { readonly number: number; readonly failure: Failure } | undefined
  readonly #counts: () => boolean
  /** Names of the requests so far, in order. */
  readonly requests: Array<string> = []

  /** Requests count while `counts` returns true. `number`: 1 is the first request. */
  constructor(counts: () => boolean, failing?: { readonly number: number; readonly failure: Failure }) {
    this.#counts = counts
    this.#failing = failing
  }

  request<A, E>(name: string, work: Effect.Effect<A, E>, error: E): Effect.Effect<A, E> {
    return Effect.suspend(() => {
      const failure = this.#failureOf(name)
      if (failure === undefined) return work
      const failed = failing(failure, error)
      return failure.takesEffect ? Effect.andThen(work, failed) : failed
    })
  }

  /** Returns the log as the process reaches it. */
  log(log: Log): Log {
    return EventLog.of({
      append: (subject, id, data, options) =>
        this.request(`append ${subject}`, log.append(subject, id, data, options), unavailable("append", subject)),
      consume: (stream, filter, from) => this.#records("consume", stream, Arr.ensure(filter), log.consume(stream, filter, from)),
      read: (stream, filter, from) => this.#records("read", stream, Arr.ensure(filter), log.read(stream, filter, from)),
      last: (stream, subject) => this.request(`last ${subject}`, log.last(stream, subject), unavailable("last", stream)),
      bounds: (stream) => this.request(`bounds ${stream}`, log.bounds(stream), unavailable("bounds", stream)),
      now: this.request("now", log.now, unavailable("now", "log")),
    })
  }

  #records(
    operation: "consume" | "read",
    stream: string,
    filters: ReadonlyArray<string>,
    records: Stream.Stream<LogRecord, LogError>,
  ): Stream.Stream<LogRecord, LogError> {
    return Stream.suspend(() => {
      const failure = this.#failureOf(`${operation} ${filters.length === 1 ? filters[0] : `${filters.length} parts of ${stream}`}`)
      if (failure === undefined) return records
      const failed = Stream.fromEffect(failing(failure, unavailable(operation, stream)))
      return failure.takesEffect ? Stream.concat(firstChunkOf(records), failed) : failed
    })
  }

  #failureOf(name: string): Failure | undefined {
    if (!this.#counts()) return undefined
    this.requests.push(name)
    return this.#failing?.number === this.requests.length ? this.#failing.failure : undefined
  }
}

const failing = <E>({ afterMs }: Failure, error: E): Effect.Effect<never, E> => Effect.delay(Effect.fail(error), afterMs)

const firstChunkOf = (records: Stream.Stream<LogRecord, LogError>): Stream.Stream<LogRecord, LogError> =>
  records.pipe(Stream.chunks, Stream.take(1), Stream.flattenArray)

const unavailable = (operation: LogError["operation"], target: string): LogError =>
  new LogError({ operation, target, reason: "Unavailable", retryable: true, detail: "the single fault of the simulation" })
