/** `GET /cs2/live/{matchId}/socket`: how to follow a match. */
import type { LiveTransport } from "@matchpoint/contracts/http/cs2/liveModels"
import { SOCKET_PATH, STREAM_PATH } from "@matchpoint/contracts/http/cs2/streamPaths"
import { API_ROOT } from "@matchpoint/contracts/http/MatchpointApi"
import { SNAPSHOT, UPDATE } from "@matchpoint/contracts/stream/frames"
import { PING_INTERVAL_SECONDS } from "@matchpoint/contracts/stream/messages"
import { ALL, matchRoom } from "@matchpoint/contracts/stream/rooms"
import type { MatchId } from "@matchpoint/domain/ids"

/** `publicUrl` null: the address is given as a path, relative to where the answer came from. */
export const transportOf = (matchId: MatchId, publicUrl: string | null): LiveTransport => ({
  entityType: "cs2_live_transport",
  matchId,
  transports: {
    websocket: {
      url: `${publicUrl === null ? "" : publicUrl.replace(/^http/, "ws")}${API_ROOT}${SOCKET_PATH}`,
      auth: "header x-api-key, header Authorization: Bearer <API_KEY>, or query parameter apiKey",
      subscribe: { action: "subscribe", rooms: [matchRoom(matchId)] },
      allLiveMatches: { action: "subscribe", rooms: [ALL] },
      messages: ["ready", "subscribed", SNAPSHOT, UPDATE, "unsubscribed", "pong", "error"],
      plans: ["free", "starter", "pro", "business", "scale", "enterprise"],
    },
    sse: {
      url: `${API_ROOT}${STREAM_PATH}?matchId=${matchId}`,
      note: `send the header x-api-key; events: ready, ${UPDATE}, ping every ${PING_INTERVAL_SECONDS} seconds, error`,
      billing: "not metered on this server",
      delay: "real-time for every plan on this server",
    },
  },
  v2Shape: "not offered by this server version",
})
