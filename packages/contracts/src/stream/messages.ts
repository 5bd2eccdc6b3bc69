/** Messages of the live channels: everything the server sends besides frames, and everything clients may send. */
import { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { nestsTooDeep } from "../http/boundedJson.ts"
import { Timestamp } from "../timestamp.ts"
import { Cursor } from "./cursors.ts"
import { Shape } from "./frames.ts"
import { HEARTBEAT } from "./wire.ts"

export const MAX_ROOMS_PER_MESSAGE = 100

const RoomName = Schema.String.check(Schema.isMaxLength(64))
const rooms = Schema.Array(RoomName).check(Schema.isMinLength(1), Schema.isMaxLength(MAX_ROOMS_PER_MESSAGE))

/**
 * Conflation intervals in milliseconds. The interval that a client requests is rounded up to one of them, so that
 * clients can share work.
 */
export const conflationSteps = [100, 250, 500, 1_000, 2_000, 5_000, 10_000] as const

export const MaxRateMs = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 })).annotate({
  description: `Minimum interval between two frames of a match, in milliseconds; only the newest frame is sent. Rounded up to one of ${conflationSteps.join(", ")}`,
})

/**
 * `adaptive`: while the server is busy, it may hold a frame back for up to 20 ms to send several together. `immediate`:
 * frames are never held back.
 */
export const Flush = Schema.Literals(["adaptive", "immediate"])
export type Flush = typeof Flush.Type

/**
 * What the server does if a client reads too slowly and the data waiting for it exceeds the limit.
 * - `conflate`: reports the skipped range and continues with the newest frame.
 * - `catchup`: sends every frame, later. There is a gap only if the server, which keeps some minutes of frames in
 *   memory, no longer has them.
 * - `close`: closes the connection with 3008; the client resumes.
 */
export const SlowPolicy = Schema.Literals(["conflate", "catchup", "close"])
export type SlowPolicy = typeof SlowPolicy.Type

export const Fault = Schema.Literals(["drop", "duplicate", "stall"])
export type Fault = typeof Fault.Type

/** Options for the replay of a stored match. */
export const ReplayOptions = Schema.Struct({
  /** 1 is real time; 0 sends as fast as the client reads. Default 1. */
  speed: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1_000 }))),
  /** Map and round to start at. Default: the beginning. */
  fromMap: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 }))),
  fromRound: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 200 }))),
  /**
   * Faults to inject, for testing clients: `drop` cuts the connection, `duplicate` sends a frame twice, `stall` pauses
   * for up to 5 s.
   */
  faults: Schema.optionalKey(Schema.Array(Fault).check(Schema.isMaxLength(3))),
  /** Seed of the faults: the same seed injects the same faults at the same frames. Default 1. */
  seed: Schema.optionalKey(Schema.Natural),
})
export type ReplayOptions = typeof ReplayOptions.Type

/** Messages that a WebSocket client may send. */
export const ClientMessage = Schema.Union([
  Schema.Struct({
    action: Schema.Literal("subscribe"),
    rooms,
    /**
     * Cursor of each room to resume from. The server answers with `resumed` and the missing frames instead of a
     * snapshot.
     */
    resume: Schema.optionalKey(Schema.Record(Schema.String, Cursor)),
    /** Default: the shape of the connection. */
    shape: Schema.optionalKey(Shape),
    maxRateMs: Schema.optionalKey(MaxRateMs),
    flush: Schema.optionalKey(Flush),
    /** For rooms `replay:<matchId>`. */
    replay: Schema.optionalKey(ReplayOptions),
  }),
  Schema.Struct({ action: Schema.Literal("unsubscribe"), rooms }),
  /** Requests the snapshots of these rooms again, for a client whose state hash differs. */
  Schema.Struct({ action: Schema.Literal("resync"), rooms }),
  Schema.Struct({ action: Schema.Literal("ping") }),
])
export type ClientMessage = typeof ClientMessage.Type
export type Subscribe = Extract<ClientMessage, { readonly action: "subscribe" }>

const decodeMessage = Schema.decodeUnknownResult(Schema.fromJsonString(ClientMessage))

/** Decodes a client message. Text that nests deeper than `MAX_JSON_DEPTH` is rejected before it is parsed. */
export const decodeClientMessage = (text: string): ReturnType<typeof decodeMessage> => decodeMessage(nestsTooDeep(text) ? "" : text)

export const StreamErrorCode = Schema.Literals([
  "MALFORMED_MESSAGE",
  "UNKNOWN_ROOM",
  "MATCH_NOT_FOUND",
  "TOO_MANY_ROOMS",
  "TOO_MANY_REPLAYS",
  "BINARY_NOT_SUPPORTED",
  "SHUTTING_DOWN",
  "SLOW_CONSUMER",
  "INVALID_API_KEY",
  "HISTORY_LIMIT",
  "RATE_LIMIT_EXCEEDED",
  "SERVICE_UNAVAILABLE",
])
export type StreamErrorCode = typeof StreamErrorCode.Type

/** First message on every channel. */
export const Ready = Schema.Struct({
  type: Schema.Literal("ready"),
  /** Delay of the channel in seconds. */
  delay_seconds: Schema.Natural,
  billing: Schema.Struct({
    /** Requests counted on connect; the next field is counted for each interval that the channel stays open. */
    requests_at_connect: Schema.Natural,
    requests_per_interval: Schema.Natural,
    interval_seconds: Schema.Natural,
    /** False if this server does not count requests. */
    metered: Schema.Boolean,
  }),
  heartbeat_seconds: Schema.Natural,
  plan: Schema.String,
  shape: Shape,
  slow: SlowPolicy,
  limits: Schema.Struct({ rooms: Schema.Natural, message_bytes: Schema.Natural, waiting_bytes: Schema.Natural }),
})
export type Ready = typeof Ready.Type

/** Confirms a subscription. `max_rate_ms` is null if every frame is sent. */
export const Subscribed = Schema.Struct({
  type: Schema.Literal("subscribed"),
  rooms: Schema.Array(Schema.String),
  shape: Shape,
  max_rate_ms: Schema.NullOr(Schema.Natural),
})
export type Subscribed = typeof Subscribed.Type

export const Unsubscribed = Schema.Struct({ type: Schema.Literal("unsubscribed"), rooms: Schema.Array(Schema.String) })

/** Frames of a match that the client will not receive. `from` and `to` are inclusive seqs. */
export const MissingRange = Schema.Struct({ matchId: MatchId, epoch: Schema.Natural, from: Schema.Natural, to: Schema.Natural })
export type MissingRange = typeof MissingRange.Type

/**
 * Answer to a cursor.
 * - `recovered`: every frame after it follows.
 * - `partial`: the frames in `missing` are lost. A snapshot of each of their matches follows, then the remaining
 *   frames.
 * - `reset`: the cursor belongs to another history. A snapshot of every match in the room follows, as without a cursor.
 */
export const Resumed = Schema.Struct({
  type: Schema.Literal("resumed"),
  room: Schema.String,
  verdict: Schema.Literals(["recovered", "partial", "reset"]),
  missing: Schema.Array(MissingRange),
})
export type Resumed = typeof Resumed.Type

/**
 * The listed frames were skipped, and a snapshot of each match follows. The server never skips frames without this
 * message.
 */
export const Gap = Schema.Struct({
  type: Schema.Literal("gap"),
  /** Position of the frame that follows the gap, if the gap is in the log. */
  position: Schema.optionalKey(Schema.Natural),
  reason: Schema.Literals(["slow", "log"]),
  missing: Schema.Array(MissingRange),
})
export type Gap = typeof Gap.Type

/**
 * The server has sent everything that existed when the client subscribed or resumed. New frames follow as they are
 * published.
 */
export const CaughtUp = Schema.Struct({
  type: Schema.Literal("caught_up"),
  rooms: Schema.Array(Schema.String),
  position: Schema.Natural,
  /**
   * Current cursor of the client. From here on, each update or delta moves it, until a `gap`, `resumed` or `resync`
   * sets it anew.
   */
  cursor: Schema.optionalKey(Cursor),
})
export type CaughtUp = typeof CaughtUp.Type

/**
 * Cursor and age of the newest frame of each match on the edge that sends it. Shows whether a match is silent or the
 * channel is broken.
 */
export const Heartbeat = Schema.Struct({
  type: Schema.Literal(HEARTBEAT),
  at: Timestamp,
  /** Every frame up to this position, of all matches, was sent before. */
  position: Schema.Natural,
  matches: Schema.Array(
    Schema.Struct({
      matchId: MatchId,
      epoch: Schema.Natural,
      seq: Schema.Natural,
      /** Milliseconds since the newest frame was published, including the delay of the plan. */
      age_ms: Schema.Natural,
    }),
  ),
})
export type Heartbeat = typeof Heartbeat.Type

/**
 * The server is about to close the connection. The client should connect again after `after_ms`, which differs between
 * clients, and resume. `plan_changed`: the terms of the account have changed and apply from the next connection on.
 */
export const Reconnect = Schema.Struct({
  type: Schema.Literal("reconnect"),
  reason: Schema.Literals(["draining", "plan_changed"]),
  after_ms: Schema.Natural,
  /** Cursors of the subscribed rooms. All frames up to them have been sent on this connection. */
  resume: Schema.Record(Schema.String, Cursor),
})
export type Reconnect = typeof Reconnect.Type

/** The replay has ended. */
export const ReplayEnded = Schema.Struct({ type: Schema.Literal("replay_ended"), room: Schema.String, frames: Schema.Natural })
export type ReplayEnded = typeof ReplayEnded.Type

export const Pong = Schema.Struct({ type: Schema.Literal("pong") })
export const StreamError = Schema.Struct({
  type: Schema.Literal("error"),
  code: StreamErrorCode,
  message: Schema.String,
  room: Schema.optionalKey(Schema.String),
})
export type StreamError = typeof StreamError.Type

/** Every message that a client can receive besides frames, for any game. */
export const ControlMessage = Schema.Union([
  Ready,
  Subscribed,
  Unsubscribed,
  Resumed,
  CaughtUp,
  Gap,
  Heartbeat,
  Reconnect,
  ReplayEnded,
  Pong,
  StreamError,
])
export type ControlMessage = typeof ControlMessage.Type

/**
 * Names of the SSE events of these messages; the event of a frame is named after its type. The specification defines
 * `ready`, `ping` (its data is a heartbeat) and `error`.
 */
export const controlEvents = {
  ready: "ready",
  resumed: "resumed",
  caughtUp: "caught_up",
  gap: "gap",
  ping: "ping",
  reconnect: "reconnect",
  replayEnded: "replay_ended",
  error: "error",
} as const

export const PING_INTERVAL_SECONDS = 15
