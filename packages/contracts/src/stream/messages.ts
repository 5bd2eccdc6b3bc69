/** Everything said on the live channels besides frames, what clients may say, and the rooms they may ask for. */
import { MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { LiveSnapshot, LiveUpdate } from "./frames.ts"

/** Every live match. */
export const ALL = "all"

const MATCH_ROOM = "match:"
export const matchRoom = (matchId: MatchId): string => `${MATCH_ROOM}${matchId}`

const isMatchId = Schema.is(MatchId)

/** The match of a room; "all" for the room of every match; undefined: no such room. */
export const parseRoom = (room: string): MatchId | typeof ALL | undefined => {
  if (room === ALL) return ALL
  const id = room.startsWith(MATCH_ROOM) ? room.slice(MATCH_ROOM.length) : undefined
  return id !== undefined && isMatchId(id) ? id : undefined
}

export const MAX_ROOMS_PER_MESSAGE = 100

const rooms = Schema.Array(Schema.String.check(Schema.isMaxLength(64))).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(MAX_ROOMS_PER_MESSAGE),
)

/** What a WebSocket client may say. */
export const ClientMessage = Schema.Union([
  Schema.Struct({ action: Schema.Literal("subscribe"), rooms }),
  Schema.Struct({ action: Schema.Literal("unsubscribe"), rooms }),
  Schema.Struct({ action: Schema.Literal("ping") }),
])
export type ClientMessage = typeof ClientMessage.Type

export const decodeClientMessage = Schema.decodeUnknownResult(Schema.fromJsonString(ClientMessage))

export const StreamErrorCode = Schema.Literals([
  "MALFORMED_MESSAGE",
  "UNKNOWN_ROOM",
  "MATCH_NOT_FOUND",
  "TOO_MANY_ROOMS",
  "BINARY_NOT_SUPPORTED",
  "SHUTTING_DOWN",
  "SLOW_CONSUMER",
  "RATE_LIMIT_EXCEEDED",
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
    metered: Schema.Boolean,
  }),
  heartbeat_seconds: Schema.Natural,
  plan: Schema.String,
})
export type Ready = typeof Ready.Type

export const Subscribed = Schema.Struct({ type: Schema.Literal("subscribed"), rooms: Schema.Array(Schema.String) })
export const Unsubscribed = Schema.Struct({ type: Schema.Literal("unsubscribed"), rooms: Schema.Array(Schema.String) })
export const Ping = Schema.Struct({ type: Schema.Literal("ping"), at: Schema.String })
export const Pong = Schema.Struct({ type: Schema.Literal("pong") })
export const StreamError = Schema.Struct({
  type: Schema.Literal("error"),
  code: StreamErrorCode,
  message: Schema.String,
  room: Schema.optionalKey(Schema.String),
})
export type StreamError = typeof StreamError.Type

/** Everything a WebSocket client can receive. */
export const ServerMessage = Schema.Union([Ready, Subscribed, Unsubscribed, LiveSnapshot, LiveUpdate, Pong, StreamError])
export type ServerMessage = typeof ServerMessage.Type

export const decodeServerMessage = Schema.decodeUnknownResult(Schema.fromJsonString(ServerMessage))

/** Names of the SSE events, in the order of section 6 of the specification. */
export const sseEvents = { ready: "ready", update: "cs2.live.update", ping: "ping", error: "error" } as const

export const PING_INTERVAL_SECONDS = 15

/** SSE `id:` of a frame: the cursor with its match, since one stream may follow many. */
export const sseId = (matchId: string, epoch: number, seq: number): string => `${matchId}:${epoch}:${seq}`
