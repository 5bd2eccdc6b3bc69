/**
 * Paths of the long-lived channels (WebSocket and SSE) of the live section. The channels are described in
 * `StreamApi.ts`, and their messages in `stream/messages.ts`.
 */
export const STREAM_PATH = "/cs2/live/stream"
export const SOCKET_PATH = "/cs2/live/ws"
export const REPLAY_PATH = "/cs2/live/:matchId/replay"
