/** The log, with a FEED that an operator has emptied up to some point. Whoever reads it finds what came later. */
import { EventLog } from "@matchpoint/bus/EventLog"
import { FEED } from "@matchpoint/contracts/bus/subjects"
import { Effect, Option, Stream } from "effect"

type Log = EventLog["Service"]

export class TrimmedFeed {
  readonly service: Log
  readonly #log: Log
  /** FEED begins here. */
  #first = 0

  constructor(log: Log) {
    this.#log = log
    const isThere = (stream: string, sequence: number) => stream !== FEED || sequence >= this.#first
    this.service = EventLog.of({
      ...log,
      consume: (stream, filter, from) => Stream.filter(log.consume(stream, filter, from), ({ sequence }) => isThere(stream, sequence)),
      read: (stream, filter, from) => Stream.filter(log.read(stream, filter, from), ({ sequence }) => isThere(stream, sequence)),
      last: (stream, subject) =>
        Effect.map(
          log.last(stream, subject),
          Option.filter(({ sequence }) => isThere(stream, sequence)),
        ),
      bounds: (stream) =>
        Effect.map(log.bounds(stream), (bounds) => (stream === FEED ? { ...bounds, first: Math.max(bounds.first, this.#first) } : bounds)),
    })
  }

  /** Everything that FEED has now goes, but for the newest records. */
  readonly trim = (kept: number) =>
    Effect.map(Effect.orDie(this.#log.bounds(FEED)), ({ last }) => {
      this.#first = Math.max(this.#first, last + 1 - kept)
    })
}
