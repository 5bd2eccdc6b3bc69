/** The log with a FEED that an operator has trimmed. Readers see only the records that remain. */
import { EventLog } from "@matchpoint/bus/EventLog"
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
    const isKept = (stream: string, sequence: number) => stream !== FEED || sequence >= this.#first
    this.service = EventLog.of({
      ...log,
      consume: (stream, filter, from) => Stream.filter(log.consume(stream, filter, from), ({ sequence }) => isKept(stream, sequence)),
      read: (stream, filter, from) => Stream.filter(log.read(stream, filter, from), ({ sequence }) => isKept(stream, sequence)),
      last: (stream, subject) =>
        Effect.map(
          log.last(stream, subject),
          Option.filter(({ sequence }) => isKept(stream, sequence)),
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
}
