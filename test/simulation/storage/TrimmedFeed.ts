/**
 * The log with a FEED that an operator has trimmed. Readers see only the records that remain. A reader that has begun and
 * has not yet read what was removed fails with `Dropped`.
 */
import { EventLog, LogError, type LogRecord } from "@matchpoint/bus/EventLog"
import { FEED } from "@matchpoint/contracts/bus/subjects"
import { Effect, Option, Stream } from "effect"

type Log = EventLog["Service"]

export class TrimmedFeed {
  readonly service: Log
  readonly #log: Log
  /** First sequence of FEED. */
  #first = 0

  constructor(log: Log) {
    this.#log = log
    this.service = EventLog.of({
      ...log,
      consume: (stream, filter, from) => this.#kept("consume", stream, log.consume(stream, filter, from)),
      read: (stream, filter, from) => this.#kept("read", stream, log.read(stream, filter, from)),
      last: (stream, subject) =>
        Effect.map(
          log.last(stream, subject),
          Option.filter(({ sequence }) => stream !== FEED || sequence >= this.#first),
        ),
      bounds: (stream) =>
        Effect.map(log.bounds(stream), (bounds) => (stream === FEED ? { ...bounds, first: Math.max(bounds.first, this.#first) } : bounds)),
    })
  }

  /** Removes all current records of FEED but the newest `kept`. */
  readonly trim = (kept: number) =>
    Effect.map(Effect.orDie(this.#log.bounds(FEED)), ({ last }) => {
      this.#first = Math.max(this.#first, last + 1 - kept)
    })

  /** Forgets what was removed, because the log below is another one. */
  startOver(): void {
    this.#first = 0
  }

  #kept(operation: "consume" | "read", stream: string, records: Stream.Stream<LogRecord, LogError>): Stream.Stream<LogRecord, LogError> {
    if (stream !== FEED) return records
    return Stream.suspend(() => {
      const firstAtStart = this.#first
      return records.pipe(
        Stream.filter(({ sequence }) => sequence >= firstAtStart),
        Stream.mapArrayEffect((chunk) => (chunk[0].sequence < this.#first ? Effect.fail(dropped(operation)) : Effect.succeed(chunk))),
      )
    })
  }
}

const dropped = (operation: "consume" | "read"): LogError =>
  new LogError({ operation, target: FEED, reason: "Dropped", retryable: false, detail: "a fault of the simulation" })
