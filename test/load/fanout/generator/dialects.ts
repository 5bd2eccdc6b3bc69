// Owns how a follower speaks to each kind of server: its request, what it says to follow the match, how it knows that it does.
import { API_KEY_HEADER } from "@matchpoint/contracts/http/Authentication"
import { SOCKET_PATH, STREAM_PATH } from "@matchpoint/contracts/http/cs2/streamPaths"
import { API_ROOT } from "@matchpoint/contracts/http/MatchpointApi"
import { matchRoom } from "@matchpoint/contracts/stream/messages"
import { apiKey } from "../apiKey.ts"
import { AFTER_STAMP, followedMatch } from "../liveUpdates.ts"
import type { VariantName } from "../orders.ts"

export interface Dialect {
  readonly transport: "websocket" | "sse"
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Says something back to a text message, if there is something to say. Updates do not come by here. */
  readonly reply: (message: string) => string | undefined
  /** True for the message after which updates come; undefined: they come from the start. */
  readonly following: ((message: string) => boolean) | undefined
  /** Bytes between the stamp and the end of an update's payload. */
  readonly afterStamp: number
}

const silent = () => undefined

const plain: Dialect = {
  transport: "websocket",
  path: "/",
  headers: {},
  reply: silent,
  following: undefined,
  afterStamp: AFTER_STAMP.length,
}

const authenticated = { [API_KEY_HEADER]: apiKey }
const subscribe = JSON.stringify({ action: "subscribe", rooms: [matchRoom(followedMatch)] })

const ours: Dialect = {
  transport: "websocket",
  path: API_ROOT + SOCKET_PATH,
  headers: authenticated,
  reply: (message) => (message.startsWith('{"type":"ready"') ? subscribe : undefined),
  following: (message) => message.startsWith('{"type":"subscribed"'),
  afterStamp: AFTER_STAMP.length,
}

const sse: Dialect = {
  transport: "sse",
  path: `${API_ROOT}${STREAM_PATH}?matchId=${followedMatch}`,
  headers: { ...authenticated, accept: "text/event-stream" },
  reply: silent,
  following: (message) => message.includes("event: ready\n"),
  afterStamp: AFTER_STAMP.length + "\n\n".length,
}

/** Packets of engine.io 4: 0 open, 2 ping, 3 pong, 4 message; of socket.io within a message: 0 connect, 2 event. */
const socketio: Dialect = {
  transport: "websocket",
  path: "/socket.io/?EIO=4&transport=websocket",
  headers: {},
  reply: (message) => (message.startsWith("0") ? "40" : message === "2" ? "3" : undefined),
  following: (message) => message.startsWith("40"),
  afterStamp: AFTER_STAMP.length + "]".length,
}

export const dialects: Record<VariantName, Dialect> = { ours, raw: plain, ws: plain, socketio, sse }
