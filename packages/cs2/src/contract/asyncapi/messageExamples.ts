/** A summary and examples per message of the live channels. A message that is missing here fails the type check. */
import { stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import { type ClientMessage, PING_INTERVAL_SECONDS } from "@matchpoint/contracts/stream/messages"
import { matchRoom, replayRoom } from "@matchpoint/contracts/stream/rooms"
import { HEARTBEAT } from "@matchpoint/contracts/stream/wire"
import { compactEvent } from "../compactOf.ts"
import { DELTA, SNAPSHOT, UPDATE } from "../frames.ts"
import type { ServerMessage } from "../serverMessages.ts"
import { change, compact, event, head, id, match } from "./exampleMatch.ts"

export interface Described<Message> {
  readonly summary: string
  readonly examples: readonly [Message, ...Array<Message>]
}

const room = matchRoom(id)
const missing = [{ matchId: id, epoch: 1, from: 413, to: 420 }]

export const serverMessages: {
  readonly [Type in ServerMessage["type"]]: Described<Extract<ServerMessage, { readonly type: Type }>>
} = {
  ready: {
    summary: "First message on every channel: plan, delay, billing and limits of the connection.",
    examples: [
      {
        type: "ready",
        delay_seconds: 0,
        billing: { requests_at_connect: 1, requests_per_interval: 1, interval_seconds: 15, metered: true },
        heartbeat_seconds: PING_INTERVAL_SECONDS,
        plan: "pro",
        shape: "v1",
        slow: "conflate",
        limits: { rooms: 500, message_bytes: 16_384, waiting_bytes: 65_536 },
      },
    ],
  },
  subscribed: {
    summary: "The client is subscribed to the rooms from now on.",
    examples: [{ type: "subscribed", rooms: [room], shape: "v1", max_rate_ms: null }],
  },
  unsubscribed: { summary: "The client is no longer subscribed to the rooms.", examples: [{ type: "unsubscribed", rooms: [room] }] },
  resumed: {
    summary: "Answer to a cursor: states whether every frame after it follows, and lists the frames that do not.",
    examples: [
      { type: "resumed", room, verdict: "recovered", missing: [] },
      { type: "resumed", room, verdict: "partial", missing },
    ],
  },
  caught_up: {
    summary: "The server has sent everything published before the subscription. New frames follow as they are published.",
    examples: [{ type: "caught_up", rooms: [room], position: head.position }],
  },
  [SNAPSHOT]: {
    summary: "Current state of a match. In shape v2, deltas apply to it.",
    examples: [
      { type: SNAPSHOT, ...head, event, data: match },
      { type: SNAPSHOT, shape: "v2", ...head, hash: stateHash(compact), data: compact },
    ],
  },
  [UPDATE]: {
    summary: "Change of a match in shape v1: the whole match after the change.",
    examples: [{ type: UPDATE, ...head, event, data: match }],
  },
  [DELTA]: {
    summary: "Change of a match in shape v2: a JSON merge patch for the document at `base`.",
    examples: [{ type: DELTA, ...head, seq: head.seq + 1, base: head.seq, events: [compactEvent(event)], ...change }],
  },
  gap: {
    summary: "The listed frames were skipped. A snapshot of each match follows.",
    examples: [{ type: "gap", reason: "slow", missing }],
  },
  [HEARTBEAT]: {
    summary: "Cursor and age of the newest frame of each match. Shows whether a match is silent or the channel is broken.",
    examples: [
      {
        type: HEARTBEAT,
        at: "2026-03-01T18:22:15.000Z",
        position: head.position,
        matches: [{ matchId: id, epoch: 1, seq: 412, age_ms: 4_548 }],
      },
    ],
  },
  reconnect: {
    summary: "The server is about to close the connection. Connect again after `after_ms` and resume.",
    examples: [
      { type: "reconnect", reason: "draining", after_ms: 1_730, resume: { [room]: { matchId: id, epoch: 1, seq: 412, position: 90_211 } } },
      { type: "reconnect", reason: "plan_changed", after_ms: 640, resume: {} },
    ],
  },
  replay_ended: {
    summary: "The replay has ended.",
    examples: [{ type: "replay_ended", room: replayRoom(id), frames: 2_204 }],
  },
  pong: { summary: "Answer to a ping.", examples: [{ type: "pong" }] },
  error: {
    summary: "A request was invalid or not allowed. Over SSE, the stream ends after this message.",
    examples: [
      { type: "error", code: "MATCH_NOT_FOUND", message: "no live match has this id", room },
      { type: "error", code: "RATE_LIMIT_EXCEEDED", message: "the monthly quota of 10000 requests is used up" },
      { type: "error", code: "INVALID_API_KEY", message: "the API key was revoked or has expired: use another key" },
    ],
  },
}

export const clientMessages: {
  readonly [Action in ClientMessage["action"]]: Described<Extract<ClientMessage, { readonly action: Action }>>
} = {
  subscribe: {
    summary: "Subscribes to rooms: `match:<matchId>`, `all` or `replay:<matchId>`. Rooms with a cursor in `resume` continue after it.",
    examples: [
      { action: "subscribe", rooms: [room] },
      { action: "subscribe", rooms: [room], resume: { [room]: { epoch: 1, seq: 412 } }, shape: "v2", maxRateMs: 500, flush: "immediate" },
      { action: "subscribe", rooms: [replayRoom(id)], replay: { speed: 10, fromMap: 1, fromRound: 12, faults: ["duplicate"], seed: 7 } },
    ],
  },
  unsubscribe: { summary: "Ends subscriptions to rooms.", examples: [{ action: "unsubscribe", rooms: [room] }] },
  resync: { summary: "Requests the snapshots of these rooms again.", examples: [{ action: "resync", rooms: [room] }] },
  ping: { summary: "Requests a `pong`.", examples: [{ action: "ping" }] },
}
