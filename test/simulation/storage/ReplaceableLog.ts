/**
 * A log that an operator replaces while processes use it: by an empty one, or by a backup. Its readers fail with
 * `HistoryLost`, as the port says.
 */
import { EventLog, LogError, type LogRecord, type StreamSpec } from "@matchpoint/bus/EventLog"
import * as EventLogMemory from "@matchpoint/bus/EventLogMemory"
import { Clock, Context, Deferred, Effect, Layer, type Scope, Stream } from "effect"

type Log = EventLog["Service"]

export class ReplaceableLog {
  readonly service: Log
  readonly #streams: ReadonlyArray<StreamSpec>
  /** The log's clock. */
  readonly #clock: Clock.Clock
  #current: Log
  /** Everything that the current log has accepted. */
  #records: Array<LogRecord> = []
  #replaced = Deferred.makeUnsafe<never, LogError>()

  private constructor(streams: ReadonlyArray<StreamSpec>, clock: Clock.Clock, log: Log) {
    this.#streams = streams
    this.#clock = clock
    this.#current = log
    const reading = (records: Stream.Stream<LogRecord, LogError>) => Stream.interruptWhen(records, Deferred.await(this.#replaced))
    this.service = EventLog.of({
      append: (subject, id, data, options) => Effect.suspend(() => this.#append(subject, id, data, options)),
      consume: (stream, filter, from) => Stream.suspend(() => reading(this.#current.consume(stream, filter, from))),
      read: (stream, filter, from) => Stream.suspend(() => reading(this.#current.read(stream, filter, from))),
      last: (stream, subject) => Effect.suspend(() => this.#current.last(stream, subject)),
      bounds: (stream) => Effect.suspend(() => this.#current.bounds(stream)),
      now: Effect.suspend(() => this.#current.now),
    })
  }

  static readonly open = (streams: ReadonlyArray<StreamSpec>) =>
    Effect.zipWith(Clock.Clock, openLog(streams), (clock, log) => new ReplaceableLog(streams, clock, log))

  /** Keeps only what was appended at `until` or before, epoch ms. */
  readonly replace = Effect.fnUntraced(function* (this: ReplaceableLog, until: number) {
    const records = this.#records.filter(({ appendedAt }) => appendedAt <= until)
    const clock = this.#clock
    let time = records[0]?.appendedAt
    const now = () => time ?? clock.currentTimeMillisUnsafe()
    const log = yield* openLog(this.#streams).pipe(
      Effect.provideService(Clock.Clock, { ...clock, currentTimeMillisUnsafe: now, currentTimeMillis: Effect.sync(now) }),
    )
    for (const { appendedAt, data, id, subject } of records) {
      time = appendedAt
      yield* Effect.orDie(log.append(subject, id, data))
    }
    time = undefined
    const replaced = this.#replaced
    this.#current = log
    this.#records = records
    this.#replaced = Deferred.makeUnsafe()
    yield* Deferred.fail(replaced, historyLost)
  })

  #append: Log["append"] = (subject, id, data, options) => {
    const log = this.#current
    return Effect.tap(log.append(subject, id, data, options), ({ duplicate, sequence }) =>
      Effect.sync(() => {
        if (!duplicate) this.#records.push({ subject, id, data, sequence, appendedAt: this.#clock.currentTimeMillisUnsafe() })
      }),
    )
  }
}

const openLog = (streams: ReadonlyArray<StreamSpec>): Effect.Effect<Log, never, Scope.Scope> =>
  EventLogMemory.layer({ streams }).pipe(
    Layer.build,
    Effect.map((context) => Context.get(context, EventLog)),
    Effect.orDie,
  )

const historyLost = new LogError({
  operation: "consume",
  target: "the log",
  reason: "HistoryLost",
  retryable: false,
  detail: "a fault of the simulation",
})
