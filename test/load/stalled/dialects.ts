// Owns how a client of the measurement follows every match in shape v1. The measured client gets frames at once: on SSE,
// frames sent together would be one unit, and this benchmark counts frames.
import { API_KEY_HEADER } from "@matchpoint/contracts/http/Authentication"
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { ALL } from "@matchpoint/contracts/stream/rooms"
import { SOCKET_PATH, STREAM_PATH } from "@matchpoint/cs2/contract/http/streamPaths"
import type { Dialect } from "../fanout/generator/dialects.ts"
import { apiKey } from "../lib/apiKey.ts"
import type { Behavior, Transport } from "./orders.ts"

const headers = { [API_KEY_HEADER]: apiKey }

const flushOf = (behavior: Behavior) => (behavior === "reading" ? { flush: "immediate" } : {})

export const dialectOf = (transport: Transport, behavior: Behavior): Dialect =>
  transport === "websocket"
    ? {
        transport,
        path: API_ROOT + SOCKET_PATH,
        headers,
        reply: (message) =>
          message.startsWith('{"type":"ready"') ? JSON.stringify({ action: "subscribe", rooms: [ALL], ...flushOf(behavior) }) : undefined,
        following: (message) => message.startsWith('{"type":"caught_up"'),
      }
    : {
        transport,
        path: `${API_ROOT}${STREAM_PATH}?${new URLSearchParams(flushOf(behavior))}`,
        headers: { ...headers, accept: "text/event-stream" },
        reply: () => undefined,
        following: (message) => message.includes("event: caught_up\n"),
      }
