/** Messages of the live channels, except those about matches, which are in `frames.ts`. */
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
 * Milliseconds. With conflation, the server sends at most one frame per match and interval. A requested interval is
 * rounded up to the next one, so that clients with the same interval receive identical frames.
 */
export const conflationSteps = [100, 250, 500, 1_000, 2_000, 5_000, 10_000] as const

export const MaxRateMs = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 })).annotate({
  description: `Minimum interval between two frames of a match, in milliseconds; only the newest frame is sent. Rounded up to one of ${conflationSteps.join(", ")}`,
})

/**
 * With `adaptive`, a busy server may delay a frame by up to 20 ms to send several together. With `immediate`, frames
 * are never delayed.
 */
export const Flush = Schema.Literals(["adaptive", "immediate"])
export type Flush = typeof Flush.Type

/**
 * What the server does if a client reads so slowly that the data waiting for it exceeds the limit.
 * - `conflate`: reports the range of skipped frames and continues with the newest frame.
 * - `catchup`: sends every frame, although late. If the client falls more than a few minutes behind, frames are lost,
 *   because the server keeps them in memory only for that time.
 * - `close`: closes the connection with code 3008; the client can then resume.
 */
export const SlowPolicy = Schema.Literals(["conflate", "catchup", "close"])
export type SlowPolicy = typeof SlowPolicy.Type

export const Fault = Schema.Literals(["drop", "duplicate", "stall"])
export type Fault = typeof Fault.Type

export const ReplayOptions = Schema.Struct({
  /** Multiple of real time; 0 sends frames as fast as the client reads them. Default 1. */
  speed: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1_000 }))),
  /** Map and round at which the replay starts. Default: the beginning of the match. */
  fromMap: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 }))),
  fromRound: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 200 }))),
  /**
   * Faults to inject, for testing clients: `drop` closes the connection, `duplicate` sends a frame twice, and `stall`
   * pauses the replay for up to 5 s.
   */
  faults: Schema.optionalKey(Schema.Array(Fault).check(Schema.isMaxLength(3))),
  /** Seed of the faults: the same seed gives the same faults at the same frames. Default 1. */
  seed: Schema.optionalKey(Schema.Natural),
})
export type ReplayOptions = typeof ReplayOptions.Type

export const ClientMessage = Schema.Union([
  Schema.Struct({
    action: Schema.Literal("subscribe"),
    rooms,
    /** Cursors of the rooms to resume. For these, the server sends `resumed` and the missing frames instead of a snapshot. */
    resume: Schema.optionalKey(Schema.Record(Schema.String, Cursor).check(Schema.isMaxProperties(MAX_ROOMS_PER_MESSAGE))),
    /** Message format of the frames in these rooms. Default: the format of the connection. */
    shape: Schema.optionalKey(Shape),
    maxRateMs: Schema.optionalKey(MaxRateMs),
    flush: Schema.optionalKey(Flush),
    /** Used only for rooms named `replay:<matchId>`, which replay a stored match. */
    replay: Schema.optionalKey(ReplayOptions),
  }),
  Schema.Struct({ action: Schema.Literal("unsubscribe"), rooms }),
  /** Requests new snapshots of these rooms, because the hash of the client's document differs from the server's. */
  Schema.Struct({ action: Schema.Literal("resync"), rooms }),
  Schema.Struct({ action: Schema.Literal("ping") }),
])
export type ClientMessage = typeof ClientMessage.Type
export type Subscribe = Extract<ClientMessage, { readonly action: "subscribe" }>

const decodeMessage = Schema.decodeUnknownResult(Schema.fromJsonString(ClientMessage))

/** JSON text that nests deeper than `MAX_JSON_DEPTH` is rejected before it is parsed. */
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

/** The first message on every channel. */
export const Ready = Schema.Struct({
  type: Schema.Literal("ready"),
  /** Delay of the data on this channel. */
  delay_seconds: Schema.Natural,
  billing: Schema.Struct({
    /** Charged when the channel opens. `requests_per_interval` are charged for each interval that it stays open. */
    requests_at_connect: Schema.Natural,
    requests_per_interval: Schema.Natural,
    interval_seconds: Schema.Natural,
    /** If false, the channel costs nothing. */
    metered: Schema.Boolean,
  }),
  heartbeat_seconds: Schema.Natural,
  plan: Schema.String,
  shape: Shape,
  slow: SlowPolicy,
  limits: Schema.Struct({ rooms: Schema.Natural, message_bytes: Schema.Natural, waiting_bytes: Schema.Natural }),
})
export type Ready = typeof Ready.Type

/** Confirms a subscription. `max_rate_ms` is the conflation interval, or null if the client receives every frame. */
export const Subscribed = Schema.Struct({
  type: Schema.Literal("subscribed"),
  rooms: Schema.Array(Schema.String),
  shape: Shape,
  max_rate_ms: Schema.NullOr(Schema.Natural),
})
export type Subscribed = typeof Subscribed.Type

export const Unsubscribed = Schema.Struct({ type: Schema.Literal("unsubscribed"), rooms: Schema.Array(Schema.String) })

/** Frames of one match that the client will not receive, from `from` to `to` inclusive. */
export const MissingRange = Schema.Struct({ matchId: MatchId, epoch: Schema.Natural, from: Schema.Natural, to: Schema.Natural })
export type MissingRange = typeof MissingRange.Type

/**
 * The server's reply to a client that asked to resume from a cursor. `verdict` is the result:
 * - `recovered`: the server sends every frame after the cursor.
 * - `partial`: the frames in `missing` are lost. The server sends a snapshot of each affected match, then the remaining
 *   frames.
 * - `reset`: the cursor belongs to a different history. The server sends a snapshot of every match in the room, as if
 *   the client had sent no cursor.
 */
export const Resumed = Schema.Struct({
  type: Schema.Literal("resumed"),
  room: Schema.String,
  verdict: Schema.Literals(["recovered", "partial", "reset"]),
  missing: Schema.Array(MissingRange),
})
export type Resumed = typeof Resumed.Type

/** Reports skipped frames. The server always sends it when it skips some. A snapshot of each affected match follows. */
export const Gap = Schema.Struct({
  type: Schema.Literal("gap"),
  /** Position in the log of the first frame after the gap. Only if the frames are missing from the log. */
  position: Schema.optionalKey(Schema.Natural),
  reason: Schema.Literals(["slow", "log"]),
  missing: Schema.Array(MissingRange),
})
export type Gap = typeof Gap.Type

/**
 * The server has sent everything that existed when the client subscribed or resumed. From now on, frames follow as they
 * are published.
 */
export const CaughtUp = Schema.Struct({
  type: Schema.Literal("caught_up"),
  rooms: Schema.Array(Schema.String),
  position: Schema.Natural,
  /**
   * Cursor from which the client could resume now. Each later update or delta advances it; a later `gap`, `resumed` or
   * `resync` message replaces it.
   */
  cursor: Schema.optionalKey(Cursor),
})
export type CaughtUp = typeof CaughtUp.Type

/** The cursor and the age of the newest frame of each match. It distinguishes a match without news from a broken channel. */
export const Heartbeat = Schema.Struct({
  type: Schema.Literal(HEARTBEAT),
  at: Timestamp,
  /** Position in the log of all matches. Every frame up to it was sent before this heartbeat. */
  position: Schema.Natural,
  matches: Schema.Array(
    Schema.Struct({
      matchId: MatchId,
      epoch: Schema.Natural,
      seq: Schema.Natural,
      /** Milliseconds since the newest frame was published, including the delay of the caller's plan. */
      age_ms: Schema.Natural,
    }),
  ),
})
export type Heartbeat = typeof Heartbeat.Type

/**
 * The server is about to close the connection. The client should connect again after `after_ms` and resume. The delay
 * differs per client, to spread the reconnects. With the reason `plan_changed`, new terms of the account apply from the
 * next connection.
 */
export const Reconnect = Schema.Struct({
  type: Schema.Literal("reconnect"),
  reason: Schema.Literals(["draining", "plan_changed"]),
  after_ms: Schema.Natural,
  /** Cursors by room. All frames up to them have been sent on this connection. */
  resume: Schema.Record(Schema.String, Cursor),
})
export type Reconnect = typeof Reconnect.Type

/** `frames` is the number of frames that were sent. */
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

/** Every message other than frames, for any game. */
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
 * Names of the server-sent events (SSE) of these messages. Frames are sent under the name in their `type` field. The
 * API specification defines only `ready`, `ping` (whose data is a heartbeat) and `error`.
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
