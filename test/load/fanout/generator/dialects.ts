// Owns the protocol of a follower for each kind of server: its request, its subscription, and the message that confirms
// it.
import { API_KEY_HEADER } from "@matchpoint/contracts/http/Authentication"
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import type { Flush } from "@matchpoint/contracts/stream/messages"
import { matchRoom } from "@matchpoint/contracts/stream/rooms"
import { SOCKET_PATH, STREAM_PATH } from "@matchpoint/cs2/contract/http/streamPaths"
import { apiKey } from "../../lib/apiKey.ts"
import { followedMatch } from "../followedMatch.ts"
import type { VariantName } from "../orders.ts"

export interface Dialect {
  readonly transport: "websocket" | "sse"
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Returns the reply to a text message, if any. Not called for frames. */
  readonly reply: (message: string) => string | undefined
  /** True for the message after which frames arrive. Undefined: they arrive from the start. */
  readonly following: ((message: string) => boolean) | undefined
}

export const dialectOf = (variant: VariantName, shape: Shape): Dialect => {
  switch (variant) {
    case "ours":
      return ours(shape, "immediate")
    case "adaptive":
    case "feed":
      return ours(shape, "adaptive")
    case "sse":
      return sse(shape)
    case "raw":
    case "ws":
      return plain
    case "socketio":
      return socketio
  }
}

const plain: Dialect = { transport: "websocket", path: "/", headers: {}, reply: () => undefined, following: undefined }

const authenticated = { [API_KEY_HEADER]: apiKey }

const ours = (shape: Shape, flush: Flush): Dialect => {
  const subscribe = JSON.stringify({ action: "subscribe", rooms: [matchRoom(followedMatch)], shape, flush })
  return {
    transport: "websocket",
    path: API_ROOT + SOCKET_PATH,
    headers: authenticated,
    reply: (message) => (message.startsWith('{"type":"ready"') ? subscribe : undefined),
    following: (message) => message.startsWith('{"type":"caught_up"'),
  }
}

const sse = (shape: Shape): Dialect => ({
  transport: "sse",
  path: `${API_ROOT}${STREAM_PATH}?matchId=${followedMatch}&shape=${shape}&flush=immediate`,
  headers: { ...authenticated, accept: "text/event-stream" },
  reply: () => undefined,
  following: (message) => message.includes("event: caught_up\n"),
})

/** Packets of engine.io 4: 0 open, 2 ping, 3 pong, 4 message. Of socket.io within a message: 0 connect, 2 event. */
const socketio: Dialect = {
  transport: "websocket",
  path: "/socket.io/?EIO=4&transport=websocket",
  headers: {},
  reply: (message) => (message.startsWith("0") ? "40" : message === "2" ? "3" : undefined),
  following: (message) => message.startsWith("40"),
}
