/**
 * The log port: named, ordered, bounded logs of bytes, and the guarantees every driver keeps (test/eventLogSuite.ts holds them to it).
 * It owns order, durability, dedupe by id and resumable consumption. It does not own what the bytes mean, who may write,
 * consumer positions (a consumer keeps its own `sequence`) or anything that must outlive `maxBytes`.
 */
import { Context, type Effect, type Option, Schema, type Stream } from "effect"

/** A named log and the subjects it keeps (`feed.cs2.*`). No two logs of one driver may keep the same subject. */
export interface StreamSpec {
  /** Letters, digits, `_` and `-`. */
  readonly name: string
  /** Exact subjects or NATS wildcards: `*` is one token, `>` is one or more and comes last. */
  readonly subjects: ReadonlyArray<string>
  /** Beyond this the oldest records go first. Each driver counts the payload and a little for itself, so leave some room. */
  readonly maxBytes: number
  /** Records older than this by the log's clock are dropped, the newest too. At least {@link dedupeWindowMillis}. Default: no limit. */
  readonly maxAgeMs?: number
}

/** No record may carry more than this, on any driver (a NATS server's usual limit is 1 MiB with its headers). */
export const maxDataBytes = 1_000_000

/** How long an id is remembered at least. */
export const dedupeWindowMillis = 120_000

/** One kept record. `data` is shared, not copied: treat it as read-only. */
export interface LogRecord {
  readonly subject: string
  readonly id: string
  /** 1, 2, 3… per stream, ascending. */
  readonly sequence: number
  readonly data: Uint8Array
  /** Epoch milliseconds by the log's own clock. */
  readonly appendedAt: number
}

/**
 * Where to start. `New` is "after the last record there is when the stream starts running". `After` a record that is no longer
 * kept starts at the oldest one that is: compare with `bounds` when a hole matters.
 */
export type From = { readonly _tag: "First" } | { readonly _tag: "New" } | { readonly _tag: "After"; readonly sequence: number }

/**
 * `retryable` says whether the same call may succeed later. An append that failed retryably may have happened all the same:
 * repeat it with the same id.
 */
export class LogError extends Schema.TaggedError<LogError>()("LogError", {
  operation: Schema.Literals(["open", "append", "consume", "read", "last", "bounds", "now"]),
  /** The stream's name, or the subject of an append. */
  target: Schema.String,
  reason: Schema.Literals([
    /** A subject, filter, id or stream name that no log can take, or that no log keeps. */
    "Invalid",
    /** The record can never fit. */
    "TooLarge",
    /** Another record than the expected one is the newest of the subject: another owner has appended. Nothing was appended. */
    "Conflict",
    /** Records this consumer had not yet seen were dropped by `maxBytes`; going on would hide a hole. */
    "Dropped",
    /** The log's history is not the one this consumer was reading: it was deleted, or it restarted at a lower sequence. */
    "HistoryLost",
    /** Stored bytes that do not check out. */
    "Corrupt",
    /** The server does not let us do it. */
    "Denied",
    /** Another process has the log open. */
    "Locked",
    /** The server, disk or network did not do it in time or at all. */
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

/** `sequence` is the record's own, or for a duplicate that of the first record with the id. */
export interface Appended {
  readonly sequence: number
  readonly duplicate: boolean
}

export interface AppendOptions {
  /**
   * Append only if the newest kept record of the subject has this sequence; 0: none is kept. Otherwise the append fails with
   * `Conflict`. A duplicate is answered as a duplicate whatever this says: the id is checked first.
   */
  readonly lastOfSubject?: number
}

export class EventLog extends Context.Service<
  EventLog,
  {
    /**
     * Durable when it returns. An id seen before in the dedupe window (at least 2 minutes, per stream) answers `duplicate: true` with the
     * first one's sequence and appends nothing. `data` is kept without a copy: do not change it afterwards.
     */
    readonly append: (subject: string, id: string, data: Uint8Array, options?: AppendOptions) => Effect.Effect<Appended, LogError>
    /**
     * Never ends by itself; reconnects and goes on after the last delivered record (no loss, no repeat) until interrupted.
     * Records of the filter in sequence order. `filter`: an exact subject or NATS wildcards (`*` one token, `>` rest).
     * A consumer so slow that records it has not seen are dropped fails with `Dropped` instead of skipping them.
     */
    readonly consume: (stream: string, filter: string, from: From) => Stream.Stream<LogRecord, LogError>
    /** What is there when the stream starts running, then ends. */
    readonly read: (stream: string, filter: string, from: From) => Stream.Stream<LogRecord, LogError>
    /** The newest kept record of one exact subject. */
    readonly last: (stream: string, subject: string) => Effect.Effect<Option.Option<LogRecord>, LogError>
    /** First and last sequence kept (first = last + 1 when empty). Tells a consumer whether records it has not seen were dropped. */
    readonly bounds: (stream: string) => Effect.Effect<{ readonly first: number; readonly last: number }, LogError>
    /**
     * Epoch milliseconds by the clock that `appendedAt` comes from. Never ahead of it: a record appended after the answer is not older,
     * one appended before the call is not younger. Behind it by one round trip to the log at most.
     */
    readonly now: Effect.Effect<number, LogError>
  }
>()("@matchpoint/bus/EventLog") {}
