/** Paths of the live channels. `StreamApi.ts` describes the channels, `stream/messages.ts` their messages. */
export const STREAM_PATH = "/cs2/live/stream"
export const SOCKET_PATH = "/cs2/live/ws"
export const REPLAY_PATH = "/cs2/live/:matchId/replay"
