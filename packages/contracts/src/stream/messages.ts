/** Everything said on the live channels besides frames, and what clients may say. */
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

/** Conflation steps, ms: what a client asks for is rounded up to one of these, so that clients share the work. */
export const conflationSteps = [100, 250, 500, 1_000, 2_000, 5_000, 10_000] as const

export const MaxRateMs = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 })).annotate({
  description: `At most one frame per match in this many milliseconds, the newest; rounded up to one of ${conflationSteps.join(", ")}`,
})

/** `adaptive`: frames may wait up to 20 ms for others while the server is busy. `immediate`: never. */
export const Flush = Schema.Literals(["adaptive", "immediate"])
export type Flush = typeof Flush.Type

/**
 * What happens to a client that reads more slowly than it is sent to, once more is waiting than the server holds for it.
 * `conflate`: it is told the range it missed and goes on with the newest frame. `catchup`: it gets every frame, later; a gap only
 * where the server's memory (minutes) has none of them any more. `close`: closed with 3008 and resumes.
 */
export const SlowPolicy = Schema.Literals(["conflate", "catchup", "close"])
export type SlowPolicy = typeof SlowPolicy.Type

export const Fault = Schema.Literals(["drop", "duplicate", "stall"])
export type Fault = typeof Fault.Type

/** How a stored match is played again. */
export const ReplayOptions = Schema.Struct({
  /** 1 is real time, 0 as fast as you read. Default 1. */
  speed: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1_000 }))),
  /** Begin at this map and round. Default: the beginning. */
  fromMap: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 }))),
  fromRound: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 200 }))),
  /** Faults to make, for testing clients: `drop` cuts the connection, `duplicate` sends a frame twice, `stall` pauses for up to 5 s. */
  faults: Schema.optionalKey(Schema.Array(Fault).check(Schema.isMaxLength(3))),
  /** The same seed makes the same faults at the same frames. Default 1. */
  seed: Schema.optionalKey(Schema.Natural),
})
export type ReplayOptions = typeof ReplayOptions.Type

/** What a WebSocket client may say. */
export const ClientMessage = Schema.Union([
  Schema.Struct({
    action: Schema.Literal("subscribe"),
    rooms,
    /** Per room, where to go on. Answered by `resumed`, frame by frame, instead of a snapshot. */
    resume: Schema.optionalKey(Schema.Record(Schema.String, Cursor)),
    /** Default: that of the connection. */
    shape: Schema.optionalKey(Shape),
    maxRateMs: Schema.optionalKey(MaxRateMs),
    flush: Schema.optionalKey(Flush),
    /** For rooms `replay:<matchId>`. */
    replay: Schema.optionalKey(ReplayOptions),
  }),
  Schema.Struct({ action: Schema.Literal("unsubscribe"), rooms }),
  /** Sends the snapshots of these rooms again: for a client whose state hash does not fit. */
  Schema.Struct({ action: Schema.Literal("resync"), rooms }),
  Schema.Struct({ action: Schema.Literal("ping") }),
])
export type ClientMessage = typeof ClientMessage.Type
export type Subscribe = Extract<ClientMessage, { readonly action: "subscribe" }>

const decodeMessage = Schema.decodeUnknownResult(Schema.fromJsonString(ClientMessage))

/** Decodes a message of a client. Fails also if its JSON nests deeper than `MAX_JSON_DEPTH`, before it is parsed. */
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
  /** How far behind the channel runs. */
  delay_seconds: Schema.Natural,
  billing: Schema.Struct({
    /** Requests counted at connect, and again for each interval that the channel stays open. */
    requests_at_connect: Schema.Natural,
    requests_per_interval: Schema.Natural,
    interval_seconds: Schema.Natural,
    /** False: this server counts nothing. */
    metered: Schema.Boolean,
  }),
  heartbeat_seconds: Schema.Natural,
  plan: Schema.String,
  shape: Shape,
  slow: SlowPolicy,
  limits: Schema.Struct({ rooms: Schema.Natural, message_bytes: Schema.Natural, waiting_bytes: Schema.Natural }),
})
export type Ready = typeof Ready.Type

/** `max_rate_ms` null: every frame. */
export const Subscribed = Schema.Struct({
  type: Schema.Literal("subscribed"),
  rooms: Schema.Array(Schema.String),
  shape: Shape,
  max_rate_ms: Schema.NullOr(Schema.Natural),
})
export type Subscribed = typeof Subscribed.Type

export const Unsubscribed = Schema.Struct({ type: Schema.Literal("unsubscribed"), rooms: Schema.Array(Schema.String) })

/** Frames of a match that a client will not get: `from` and `to` are seqs, both included. */
export const MissingRange = Schema.Struct({ matchId: MatchId, epoch: Schema.Natural, from: Schema.Natural, to: Schema.Natural })
export type MissingRange = typeof MissingRange.Type

/**
 * Answers a cursor. `recovered`: every frame after it follows. `partial`: `missing` is gone, a snapshot of each match in it follows,
 * then the rest. `reset`: the cursor is of another history; a snapshot of every match in the room follows, as without a cursor.
 */
export const Resumed = Schema.Struct({
  type: Schema.Literal("resumed"),
  room: Schema.String,
  verdict: Schema.Literals(["recovered", "partial", "reset"]),
  missing: Schema.Array(MissingRange),
})
export type Resumed = typeof Resumed.Type

/** These frames were skipped; a snapshot of each match follows. Nothing is ever skipped without this message. */
export const Gap = Schema.Struct({
  type: Schema.Literal("gap"),
  /** Of the frame that it stands before, where the log had the hole. */
  position: Schema.optionalKey(Schema.Natural),
  reason: Schema.Literals(["slow", "log"]),
  missing: Schema.Array(MissingRange),
})
export type Gap = typeof Gap.Type

/** All that was there when the client subscribed or resumed has been sent; from here on frames come as they are made. */
export const CaughtUp = Schema.Struct({
  type: Schema.Literal("caught_up"),
  rooms: Schema.Array(Schema.String),
  position: Schema.Natural,
  /** Where the client is now. From here on each update or delta moves the cursor, until a `gap`, `resumed` or `resync` begins anew. */
  cursor: Schema.optionalKey(Cursor),
})
export type CaughtUp = typeof CaughtUp.Type

/** Where the newest frame of a match is and how old, at the edge that sends it: tells silence of a match from silence of a channel. */
export const Heartbeat = Schema.Struct({
  type: Schema.Literal(HEARTBEAT),
  at: Timestamp,
  /** Everything up to here, over all matches, was sent before. */
  position: Schema.Natural,
  matches: Schema.Array(
    Schema.Struct({
      matchId: MatchId,
      epoch: Schema.Natural,
      seq: Schema.Natural,
      /** Since the newest frame was published, plan delay included. */
      age_ms: Schema.Natural,
    }),
  ),
})
export type Heartbeat = typeof Heartbeat.Type

/**
 * The server is about to close; connect again after `after_ms`, which differs from client to client, and resume. `plan_changed`: what
 * the account has agreed to is different now, and holds from the next connection on.
 */
export const Reconnect = Schema.Struct({
  type: Schema.Literal("reconnect"),
  reason: Schema.Literals(["draining", "plan_changed"]),
  after_ms: Schema.Natural,
  /** Cursors of the followed rooms: all frames up to them have been sent on this connection. */
  resume: Schema.Record(Schema.String, Cursor),
})
export type Reconnect = typeof Reconnect.Type

/** A replay has come to its end. */
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

/** Everything a client can receive besides frames, whatever the game. */
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

/** Names of their SSE events; a frame's is its type. The specification names `ready`, `ping` (its data is a heartbeat) and `error`. */
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
