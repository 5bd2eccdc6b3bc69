/**
 * One process's access to the shared log, with faults: appends that are slow, fail, or fail after they took effect;
 * reads that break off; a process that is frozen or dead. The content of the log itself is never changed.
 */
import { EventLog, LogError, type LogRecord } from "@matchpoint/bus/EventLog"
import type { Random } from "@matchpoint/simulator/random"
import { Effect, Latch, Stream } from "effect"

/** Probabilities, 0..1. */
export interface LogFaults {
  readonly appendSlow: number
  readonly appendFails: number
  /** Fails after it took effect. */
  readonly appendLost: number
  /** Per chunk of records. */
  readonly readBreaks: number
  readonly readSlow: number
  readonly slowMs: number
}

export const noFaults: LogFaults = { appendSlow: 0, appendFails: 0, appendLost: 0, readBreaks: 0, readSlow: 0, slowMs: 0 }

type Log = EventLog["Service"]

export class FaultyLog {
  readonly #log: Log
  readonly #random: Random
  readonly #running = Latch.makeUnsafe(true)
  #dead = false
  #timeFails = false
  faults: LogFaults

  constructor(log: Log, random: Random, faults: LogFaults) {
    this.#log = log
    this.#random = random
    this.faults = faults
  }

  /** Freezes the process: pending operations continue after `thaw`. */
  freeze(): void {
    this.#running.closeUnsafe()
  }

  thaw(): void {
    this.#running.openUnsafe()
  }

  /** The next question for the time fails. */
  failTimeOnce(): void {
    this.#timeFails = true
  }

  /** Kills the process: its operations have no effect from now on. */
  die(): void {
    this.#dead = true
    this.#running.openUnsafe()
  }

  get service(): Log {
    const log = this.#log
    return EventLog.of({
      append: (subject, id, data, options) =>
        Effect.suspend(() => {
          const { appendFails, appendLost, appendSlow } = this.faults
          const fails = this.#random.chance(appendFails)
          const lost = this.#random.chance(appendLost)
          const attempt = this.#guard(
            "append",
            subject,
            Effect.suspend(() => (fails ? Effect.fail(unavailable("append", subject)) : log.append(subject, id, data, options))),
          )
          const answered = lost ? Effect.andThen(attempt, Effect.fail(unavailable("append", subject))) : attempt
          return this.#random.chance(appendSlow) ? Effect.andThen(this.#pause(), answered) : answered
        }),
      consume: (stream, filter, from) => this.#withFaults("consume", stream, log.consume(stream, filter, from)),
      read: (stream, filter, from) => this.#withFaults("read", stream, log.read(stream, filter, from)),
      last: (stream, subject) => this.#guard("last", stream, log.last(stream, subject)),
      bounds: (stream) => this.#guard("bounds", stream, log.bounds(stream)),
      now: this.#guard(
        "now",
        "log",
        Effect.suspend(() => {
          const fails = this.#timeFails
          this.#timeFails = false
          return fails ? Effect.fail(unavailable("now", "log")) : log.now
        }),
      ),
    })
  }

  #guard<A>(operation: LogError["operation"], target: string, effect: Effect.Effect<A, LogError>): Effect.Effect<A, LogError> {
    return Effect.andThen(
      this.#running.await,
      Effect.suspend(() => (this.#dead ? Effect.fail(dead(operation, target)) : effect)),
    )
  }

  #withFaults(
    operation: LogError["operation"],
    target: string,
    records: Stream.Stream<LogRecord, LogError>,
  ): Stream.Stream<LogRecord, LogError> {
    return records.pipe(
      Stream.mapArrayEffect((chunk) => {
        const { readBreaks, readSlow } = this.faults
        if (this.#random.chance(readBreaks)) return Effect.fail(unavailable(operation, target))
        const passed = this.#guard(operation, target, Effect.succeed(chunk))
        return this.#random.chance(readSlow) ? Effect.andThen(this.#pause(), passed) : passed
      }),
    )
  }

  #pause(): Effect.Effect<void> {
    return Effect.suspend(() => Effect.sleep(this.#random.int(1, Math.max(1, this.faults.slowMs))))
  }
}

const unavailable = (operation: LogError["operation"], target: string): LogError =>
  new LogError({ operation, target, reason: "Unavailable", retryable: true, detail: "a fault of the simulation" })

const dead = (operation: LogError["operation"], target: string): LogError =>
  new LogError({ operation, target, reason: "Closed", retryable: false, detail: "the process is dead" })
