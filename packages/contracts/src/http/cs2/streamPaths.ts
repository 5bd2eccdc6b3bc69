/** Where the long-lived channels of the live section are. What they are is in `StreamApi.ts`, their messages in `stream/messages.ts`. */
export const STREAM_PATH = "/cs2/live/stream"
export const SOCKET_PATH = "/cs2/live/ws"
export const REPLAY_PATH = "/cs2/live/:matchId/replay"
