/** `GET /cs2/live/{matchId}/socket`: describes how to follow a match. */
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import { PING_INTERVAL_SECONDS } from "@matchpoint/contracts/stream/messages"
import { ALL, matchRoom, replayRoom } from "@matchpoint/contracts/stream/rooms"
import { type Plan, plansSelling, plansWith } from "@matchpoint/domain/plans"
import { TICK_SECONDS } from "@matchpoint/metering/StreamMeter"
import type { Frame } from "@matchpoint/realtime/Frame"
import { DELTA, UPDATE } from "../../contract/frames.ts"
import type { LiveTransport } from "../../contract/http/liveTransport.ts"
import { V2_CONTENT_TYPE } from "../../contract/http/shapes.ts"
import { REPLAY_PATH, STREAM_PATH } from "../../contract/http/streamPaths.ts"
import { ServerMessage, sseEvents } from "../../contract/serverMessages.ts"

export interface Audience {
  readonly plan: Plan
  /** Delay of live data for the caller's plan. */
  readonly delaySeconds: number
  readonly socketUrl: string
  /** This server counts requests and streams against the caller's quota. */
  readonly metered: boolean
}

/** Feature that the caller's plan or an add-on must include. The WebSocket endpoint checks for the same. */
const FEATURE = "live-websockets"

const messages = [...new Set(ServerMessage.members.map((message) => message.fields.type.literal))]

/** The resume example has the cursor of the newest frame that the caller may see, so that it works as it is. */
export const transportOf = ({ matchId, epoch, seq }: Pick<Frame, "matchId" | "epoch" | "seq">, audience: Audience): LiveTransport => {
  const { plan, delaySeconds, metered, socketUrl } = audience
  const room = matchRoom(matchId)
  const delay = delaySeconds === 0 ? `real-time on plan ${plan}` : `${delaySeconds} seconds behind on plan ${plan}, like all other reads`
  return {
    entityType: "cs2_live_transport",
    matchId,
    transports: {
      websocket: {
        url: socketUrl,
        auth: "header x-api-key, header Authorization: Bearer <API_KEY>, or query parameter apiKey",
        subscribe: { action: "subscribe", rooms: [room] },
        allLiveMatches: { action: "subscribe", rooms: [ALL] },
        resume: { action: "subscribe", rooms: [room], resume: { [room]: { epoch, seq } } },
        messages,
        plans: [...plansWith(FEATURE)],
        addOnOf: [...plansSelling(FEATURE)],
        delay,
      },
      sse: {
        url: `${API_ROOT}${STREAM_PATH}?matchId=${matchId}`,
        note:
          `send the header x-api-key and Accept: text/event-stream; ready comes first, then ${UPDATE} on each change, ping every ` +
          `${PING_INTERVAL_SECONDS} seconds, error just before the server closes; Last-Event-ID or lastEventId resumes`,
        billing: metered ? `one request at connect and one per ${TICK_SECONDS} seconds open` : "free: this server does not count requests",
        delay,
        events: Object.values(sseEvents),
      },
      replay: {
        url: API_ROOT + REPLAY_PATH.replace(":matchId", matchId),
        room: replayRoom(matchId),
        note: "replays the stored frames, as server-sent events or in this WebSocket room; options: speed, fromMap, fromRound, faults and seed",
      },
    },
    v2Shape:
      `?shape=v2, or the header Accept: ${V2_CONTENT_TYPE} on REST and shape in the subscribe message, selects shape v2: no nulls, ` +
      `keyed by id; streams then send ${DELTA} (a JSON merge patch of the state's data, sometimes with its state hash) after a snapshot`,
  }
}
