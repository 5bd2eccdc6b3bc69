/**
 * The event log port: named streams of records, each with a size limit. It owns the order and durability of records,
 * the deduplication by record id, and consumers that resume where they stopped. `test/eventLogSuite.ts` checks the
 * guarantees of this file on every driver. The port does not interpret records, does not check who may write, and does
 * not store positions: a consumer stores the `sequence` that it has reached.
 */
import { type Array as Arr, Context, type Effect, type Option, Schema, type Stream } from "effect"

/**
 * Also called a stream. A subject is the dot-separated topic of a record, such as `feed.cs2.1`. Two logs of one driver
 * must not store the same subject.
 */
export interface StreamSpec {
  /** Letters, digits, `_` and `-`. */
  readonly name: string
  /** Exact subjects or NATS wildcards. `*` stands for one token. `>` stands for one or more tokens and must come last. */
  readonly subjects: ReadonlyArray<string>
  /**
   * Above this size, the oldest records are dropped. Each driver counts a small overhead in addition to each payload, so
   * leave some headroom.
   */
  readonly maxBytes: number
  /**
   * Maximum age of a record by the log's clock, at least {@link dedupeWindowMillis}. Older records are dropped, even if
   * that leaves the log empty. Default: no limit.
   */
  readonly maxAgeMs?: number
}

/** Maximum payload of a record for all drivers. A NATS server usually limits a message to 1 MiB including its headers. */
export const maxDataBytes = 1_000_000

/** Minimum time for which the log remembers a record id. */
export const dedupeWindowMillis = 120_000

/** One stored record. `data` is shared, not copied: treat it as read-only. */
export interface LogRecord {
  readonly subject: string
  readonly id: string
  /** Position in the stream: 1, 2, 3 and so on. */
  readonly sequence: number
  readonly data: Uint8Array
  /** Time of the append in epoch milliseconds, by the log's own clock. */
  readonly appendedAt: number
  /** The trace of the append, if it is sampled (`traceparent.ts`). Only drivers over a network keep it. */
  readonly traceparent?: string
}

/**
 * Where a consumer starts. `New`: after the newest record that exists when the stream starts running. `After`: after
 * the record with this sequence, or at the oldest stored record if that one was dropped. Call `bounds` to detect such a
 * gap. If the log ends before that record, it is not the log that the reader has read, and reading fails with
 * `HistoryLost`.
 */
export type From = { readonly _tag: "First" } | { readonly _tag: "New" } | { readonly _tag: "After"; readonly sequence: number }

/**
 * An exact subject, or a NATS pattern (`*`: one token, `>`: all remaining). Several match if at least one of them does.
 */
export type Filter = string | Arr.NonEmptyReadonlyArray<string>

/**
 * `retryable` is true if the same call may succeed later. After a retryable failure of an append, the record may have
 * been stored, so repeat the append with the same id.
 */
export class LogError extends Schema.TaggedError<LogError>()("LogError", {
  operation: Schema.Literals(["open", "append", "consume", "read", "last", "bounds", "now"]),
  /** The subject for an append, otherwise the stream name. */
  target: Schema.String,
  reason: Schema.Literals([
    /** The subject, filter, record id or stream name is malformed, or no stream stores the subject. */
    "Invalid",
    "TooLarge",
    /** The newest record of the subject is not the expected one, because another writer has appended. Nothing was appended. */
    "Conflict",
    /** Records that this consumer had not yet read were dropped. Reading fails, because continuing would hide the gap. */
    "Dropped",
    /** The log was deleted or recreated, or it ends before the position of the consumer, as after a restore. */
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

/** For a duplicate, `sequence` is that of the first record with this id. */
export interface Appended {
  readonly sequence: number
  readonly duplicate: boolean
}

export interface AppendOptions {
  /**
   * Sequence of the newest stored record of the subject, 0 for none. If it differs, the append fails with `Conflict`,
   * unless the id makes it a duplicate.
   */
  readonly lastOfSubject?: number
}

export class EventLog extends Context.Service<
  EventLog,
  {
    /**
     * The record is durable when this effect completes. If the id was already used within the dedupe window (at least 2
     * minutes, per stream), nothing is appended, and the result has `duplicate: true`. `data` is stored without a copy,
     * so do not change it afterwards.
     */
    readonly append: (subject: string, id: string, data: Uint8Array, options?: AppendOptions) => Effect.Effect<Appended, LogError>
    /**
     * Streams the matching records in sequence order. It ends only by failure or interruption. After a reconnect, it
     * continues after the last delivered record without loss or repetition. If records are dropped before a slow
     * consumer has read them, it fails with `Dropped`.
     */
    readonly consume: (stream: string, filter: Filter, from: From) => Stream.Stream<LogRecord, LogError>
    /** Streams the matching records that exist when the stream starts running, then ends. */
    readonly read: (stream: string, filter: Filter, from: From) => Stream.Stream<LogRecord, LogError>
    /** `filter` is an exact subject or one pattern. */
    readonly last: (stream: string, filter: string) => Effect.Effect<Option.Option<LogRecord>, LogError>
    /** First and last stored sequence. If the log is empty, `first` is `last + 1`. */
    readonly bounds: (stream: string) => Effect.Effect<{ readonly first: number; readonly last: number }, LogError>
    /**
     * Epoch milliseconds by the clock that sets `appendedAt`, at most one round trip old. Records appended before the
     * call have `appendedAt <= value`. Records appended after its return have `appendedAt >= value`.
     */
    readonly now: Effect.Effect<number, LogError>
  }
>()("@matchpoint/bus/EventLog") {}
