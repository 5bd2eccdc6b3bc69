/** Every message on the live channels of CS2. Over SSE, each message is the `data` of an event. */
import {
  CaughtUp,
  controlEvents,
  Gap,
  Heartbeat,
  Pong,
  Ready,
  Reconnect,
  ReplayEnded,
  Resumed,
  StreamError,
  Subscribed,
  Unsubscribed,
} from "@matchpoint/contracts/stream/messages"
import { Schema } from "effect"
import { CompactSnapshot, DELTA, LiveDelta, LiveSnapshot, LiveUpdate, SNAPSHOT, UPDATE } from "./frames.ts"

export const ServerMessage = Schema.Union([
  Ready,
  Subscribed,
  Unsubscribed,
  Resumed,
  CaughtUp,
  CompactSnapshot,
  LiveSnapshot,
  LiveUpdate,
  LiveDelta,
  Gap,
  Heartbeat,
  Reconnect,
  ReplayEnded,
  Pong,
  StreamError,
])
export type ServerMessage = typeof ServerMessage.Type

export const decodeServerMessage = Schema.decodeUnknownResult(Schema.fromJsonString(ServerMessage))

const { ready, resumed, caughtUp, ...others } = controlEvents

export const sseEvents = { ready, resumed, caughtUp, snapshot: SNAPSHOT, update: UPDATE, delta: DELTA, ...others } as const
