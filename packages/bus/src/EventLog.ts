/**
 * The event log port, that is, the interface that every event log driver implements. An event log is a set of named
 * streams of records, each with a size limit. The port is responsible for the order and durability of records, for
 * deduplication by record id, and for consumers that resume where they stopped. Every driver must keep the guarantees
 * stated in this file, which `test/eventLogSuite.ts` checks. The port does not interpret records, does not check who
 * may write, and does not store the positions of consumers: a consumer itself stores the `sequence` that it has
 * reached. Data that must be kept longer than `maxBytes` allows belongs elsewhere.
 */
import { type Array as Arr, Context, type Effect, type Option, Schema, type Stream } from "effect"

/**
 * Defines a named log, also called a stream, and the subjects that it stores. A subject is the dot-separated topic of a
 * record, such as `feed.cs2.1`; wildcards are allowed in the definition, as in `feed.cs2.*`. Two logs of one driver
 * must not store the same subject.
 */
export interface StreamSpec {
  /** Stream name: letters, digits, `_` and `-`. */
  readonly name: string
  /**
   * Subjects that the stream stores: exact subjects or NATS wildcards. `*` stands for one token. `>` stands for one or
   * more tokens and must come last.
   */
  readonly subjects: ReadonlyArray<string>
  /**
   * Maximum size of the log in bytes. If it is exceeded, the oldest records are dropped. Leave some headroom, because
   * each driver counts a small overhead in addition to each payload.
   */
  readonly maxBytes: number
  /**
   * Maximum age of a record in milliseconds, measured by the log's clock. Must be {@link dedupeWindowMillis} or more.
   * Older records are dropped, even if that leaves the log empty. Default: no limit.
   */
  readonly maxAgeMs?: number
}

/**
 * Maximum payload of a record in bytes, for all drivers. A NATS server usually limits a message to 1 MiB including its
 * headers, so this value leaves room for the headers.
 */
export const maxDataBytes = 1_000_000

/** Minimum time in milliseconds for which the log remembers a record id, to detect duplicates. */
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
  /**
   * The trace in which the record was appended, if it is sampled (`traceparent.ts`). Only drivers over a network keep
   * it.
   */
  readonly traceparent?: string
}

/**
 * Position at which a consumer starts to read. `New` starts after the newest record that exists at the time when the
 * stream starts running. `After` starts after the record whose sequence number is `sequence`. If that record was
 * dropped, reading starts at the oldest stored record. Call `bounds` to detect such a gap. If the log ends before that
 * record, it is not the log that the reader has read, and reading fails with `HistoryLost`.
 */
export type From = { readonly _tag: "First" } | { readonly _tag: "New" } | { readonly _tag: "After"; readonly sequence: number }

/**
 * Selects records by subject: an exact subject, or a pattern with NATS wildcards (`*` for one token, `>` for all remaining
 * tokens). Several patterns select the records that match at least one of them.
 */
export type Filter = string | Arr.NonEmptyReadonlyArray<string>

/**
 * Failure of a log operation. `retryable` is true if the same call may succeed later. After a retryable failure of an
 * append, the record may nevertheless have been stored, so repeat the append with the same id.
 */
export class LogError extends Schema.TaggedError<LogError>()("LogError", {
  operation: Schema.Literals(["open", "append", "consume", "read", "last", "bounds", "now"]),
  /** Target of the failed operation: the subject if it was an append, otherwise the stream name. */
  target: Schema.String,
  reason: Schema.Literals([
    /** The subject, filter, record id or stream name is malformed, or no stream stores the subject. */
    "Invalid",
    /** The record exceeds the size limit. */
    "TooLarge",
    /**
     * The newest record of the subject is not the one that the caller expected, because another writer has appended a
     * record. Nothing was appended.
     */
    "Conflict",
    /**
     * Records that this consumer had not yet read were dropped because of `maxBytes` or `maxAgeMs`. Reading fails,
     * because continuing would hide the gap.
     */
    "Dropped",
    /**
     * The log is no longer the one that this consumer was reading: it was deleted, or it was recreated or restored and
     * ends before the position of the consumer.
     */
    "HistoryLost",
    /** Stored bytes are damaged. */
    "Corrupt",
    /** The server denies the operation because the credentials are invalid or do not permit it. */
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
   * Sequence that the caller expects the newest stored record of the subject to have, or 0 if the subject must have no
   * records. If the actual sequence differs, the append fails with `Conflict`. The record id is checked first, so a
   * duplicate is reported as a duplicate and not as a conflict.
   */
  readonly lastOfSubject?: number
}

export class EventLog extends Context.Service<
  EventLog,
  {
    /**
     * Appends a record. The record is durable when this effect completes. If the id was already used within the dedupe
     * window (at least 2 minutes, per stream), nothing is appended, and the result has `duplicate: true` and the
     * sequence of the first record with this id. `data` is stored without a copy, so do not change it afterwards.
     */
    readonly append: (subject: string, id: string, data: Uint8Array, options?: AppendOptions) => Effect.Effect<Appended, LogError>
    /**
     * Streams the records that match the filter, in sequence order. The stream ends only by failure or interruption.
     * After a reconnect, it continues after the last delivered record without loss or repetition. If records are dropped
     * before a slow consumer has read them, the stream fails with `Dropped` and does not skip them.
     */
    readonly consume: (stream: string, filter: Filter, from: From) => Stream.Stream<LogRecord, LogError>
    /** Streams the matching records that exist when the stream starts running, then ends. */
    readonly read: (stream: string, filter: Filter, from: From) => Stream.Stream<LogRecord, LogError>
    /** The newest stored record that matches an exact subject or one pattern. */
    readonly last: (stream: string, filter: string) => Effect.Effect<Option.Option<LogRecord>, LogError>
    /**
     * First and last stored sequence. If the log is empty, `first` is `last + 1`. A consumer compares them with its own
     * position to detect that unread records were dropped.
     */
    readonly bounds: (stream: string) => Effect.Effect<{ readonly first: number; readonly last: number }, LogError>
    /**
     * Current time in epoch milliseconds, by the clock that sets `appendedAt`. It is read during the call, so it is at
     * most one round trip old when the call returns. Records appended before the call have `appendedAt <= value`.
     * Records appended after the call has returned have `appendedAt >= value`.
     */
    readonly now: Effect.Effect<number, LogError>
  }
>()("@matchpoint/bus/EventLog") {}
