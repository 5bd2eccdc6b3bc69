/**
 * The log port: named, ordered, bounded logs of bytes. It owns order, durability, deduplication by id and resumable
 * consumption. Every driver keeps the guarantees below, and `test/eventLogSuite.ts` checks them.
 * The port does not own the meaning of the bytes, write permissions or consumer positions (a consumer stores its own
 * `sequence`). Data that must outlive `maxBytes` belongs elsewhere.
 */
import { Context, type Effect, type Option, Schema, type Stream } from "effect"

/** A named log and the subjects it stores (`feed.cs2.*`). Two logs of one driver must not store the same subject. */
export interface StreamSpec {
  /** Stream name: letters, digits, `_` and `-`. */
  readonly name: string
  /** Exact subjects or NATS wildcards: `*` is one token, `>` is one or more and comes last. */
  readonly subjects: ReadonlyArray<string>
  /**
   * Size limit in bytes. When it is exceeded, the oldest records are dropped. Each driver adds a small overhead to each
   * payload, so leave some room.
   */
  readonly maxBytes: number
  /**
   * Maximum age in milliseconds by the log's clock, at least {@link dedupeWindowMillis}. Older records are dropped,
   * including the newest one. Default: no limit.
   */
  readonly maxAgeMs?: number
}

/**
 * Maximum payload of a record in bytes, for every driver. A NATS server usually limits a message to 1 MiB including its
 * headers.
 */
export const maxDataBytes = 1_000_000

/** Minimum time in milliseconds for which an id is remembered. */
export const dedupeWindowMillis = 120_000

/** One stored record. `data` is shared, not copied: treat it as read-only. */
export interface LogRecord {
  readonly subject: string
  readonly id: string
  /** Position in the stream: 1, 2, 3 and so on, ascending. */
  readonly sequence: number
  readonly data: Uint8Array
  /** Time of the append in epoch milliseconds, by the log's own clock. */
  readonly appendedAt: number
}

/**
 * Where a consumer starts. `New` starts after the record that is the last one when the stream starts running. If the
 * record of `After` was dropped, reading starts at the oldest stored record. Call `bounds` to detect such a gap.
 */
export type From = { readonly _tag: "First" } | { readonly _tag: "New" } | { readonly _tag: "After"; readonly sequence: number }

/**
 * Failure of a log operation. `retryable` is true if the same call may succeed later. An append that failed with
 * `retryable` may still have been stored: repeat it with the same id.
 */
export class LogError extends Schema.TaggedError<LogError>()("LogError", {
  operation: Schema.Literals(["open", "append", "consume", "read", "last", "bounds", "now"]),
  /** Stream name; for an append, the subject. */
  target: Schema.String,
  reason: Schema.Literals([
    /** The subject, filter, id or stream name is malformed, or no stream stores it. */
    "Invalid",
    /** The record exceeds the size limit. */
    "TooLarge",
    /**
     * The newest record of the subject is not the expected one, because another owner has appended. Nothing was
     * appended.
     */
    "Conflict",
    /** Records that this consumer had not read were dropped by `maxBytes`. Continuing would hide a gap. */
    "Dropped",
    /** The log is not the one that this consumer was reading: it was deleted, or it restarted at a lower sequence. */
    "HistoryLost",
    /** Stored bytes are damaged. */
    "Corrupt",
    /** The server denies the operation. */
    "Denied",
    /** Another process has the log open. */
    "Locked",
    /** The server, disk or network failed or did not respond in time. */
    "Unavailable",
    /** The driver was shut down. */
    "Closed",
  ]),
  retryable: Schema.Boolean,
  detail: Schema.String,
  cause: Schema.optional(Schema.Defect()),
}) {
  override get message(): string {
    return `${this.operation} ${this.target}: ${this.detail}`
  }
}

/**
 * Result of an append. `sequence` is the sequence of the new record. For a duplicate, it is the sequence of the first
 * record with this id.
 */
export interface Appended {
  readonly sequence: number
  readonly duplicate: boolean
}

export interface AppendOptions {
  /**
   * Expected sequence of the newest stored record of the subject; 0 if there must be none. If it differs, the append
   * fails with `Conflict`. The id is checked first, so a duplicate succeeds as a duplicate whatever is expected.
   */
  readonly lastOfSubject?: number
}

export class EventLog extends Context.Service<
  EventLog,
  {
    /**
     * Appends a record. It is durable when this returns. If the id was seen within the dedupe window (at least 2
     * minutes, per stream), nothing is appended, and the result has `duplicate: true` and the sequence of the first
     * record. `data` is stored without a copy: do not change it afterwards.
     */
    readonly append: (subject: string, id: string, data: Uint8Array, options?: AppendOptions) => Effect.Effect<Appended, LogError>
    /**
     * Records that match the filter, in sequence order. The stream ends only by failure or interruption. After a
     * reconnect it continues after the last delivered record, without loss or repetition.
     * `filter`: an exact subject or NATS wildcards (`*` one token, `>` the rest). If records are dropped before a slow
     * consumer has read them, the stream fails with `Dropped` instead of skipping them.
     */
    readonly consume: (stream: string, filter: string, from: From) => Stream.Stream<LogRecord, LogError>
    /** Reads the records that exist when the stream starts running, then ends. */
    readonly read: (stream: string, filter: string, from: From) => Stream.Stream<LogRecord, LogError>
    /** The newest stored record of one exact subject. */
    readonly last: (stream: string, subject: string) => Effect.Effect<Option.Option<LogRecord>, LogError>
    /**
     * First and last stored sequence. If the log is empty, `first` is `last + 1`. A consumer uses them to detect that
     * unread records were dropped.
     */
    readonly bounds: (stream: string) => Effect.Effect<{ readonly first: number; readonly last: number }, LogError>
    /**
     * Epoch milliseconds by the clock that sets `appendedAt`. The value is never ahead of that clock, and behind it by
     * at most one round trip to the log. A record appended before the call is not newer than the value; one appended
     * after the result is not older.
     */
    readonly now: Effect.Effect<number, LogError>
  }
>()("@matchpoint/bus/EventLog") {}
