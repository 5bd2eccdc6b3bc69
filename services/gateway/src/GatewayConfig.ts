/** How the edge behaves. Every value has a default. */
import { DELAY_SECONDS } from "@matchpoint/domain/plans"
import { defaultRoomBounds, type RoomBounds } from "@matchpoint/realtime/LiveRooms"
import { Context } from "effect"

export interface GatewaySettings {
  /** Where customers reach us, without a trailing slash, e.g. `https://api.example.com`. Null: answers name paths only. */
  readonly publicUrl: string | null
  /** The key with which `/docs` sends its readers' requests: one that everybody knows. Null: a reader brings his own. */
  readonly docsKey: string | null
  /** How far behind low plans read and follow. */
  readonly delaySeconds: number
  /** For how long an answer of the archive is given again to whoever asks the same; 0: every one is computed. */
  readonly answersKeptSeconds: number
  readonly roomBounds: RoomBounds
  /** Largest message a WebSocket client may send. */
  readonly maxMessageBytes: number
  /** Bytes held for one slow client before frames pass it by; see SlowPolicy. A frame more may wait. */
  readonly maxBackpressureBytes: number
  /** Bytes held for all clients of streams together; past it those with most of it are ended, within half a second. */
  readonly maxUnsentBytes: number
  /** Clients that may resume from the log at a time, 16 or more; each holds at most 64 frames. Others are answered with `reset`. */
  readonly deepResumes: number
  /** A client that takes nothing for this long is closed. */
  readonly slowestSeconds: number
  /** Messages a WebSocket client may send per second; a burst may have ten times as many. */
  readonly messagesPerSecond: number
  /** Connections one IP address may open per second; a burst may have twenty times as many. */
  readonly handshakesPerSecond: number
  /** Clients reach us through a proxy that sets `x-forwarded-for`: its last entry is the client's address. */
  readonly behindProxy: boolean
  /** Malformed messages before a WebSocket client is closed. */
  readonly maxBadMessages: number
  /** Silence after which a WebSocket counts as dead; pings keep living ones open. */
  readonly idleTimeoutSeconds: number
}

export class GatewayConfig extends Context.Reference<GatewaySettings>("@matchpoint/service-gateway/GatewayConfig", {
  defaultValue: () => ({
    publicUrl: null,
    docsKey: null,
    delaySeconds: DELAY_SECONDS,
    answersKeptSeconds: 10,
    roomBounds: defaultRoomBounds,
    maxMessageBytes: 16 * 1024,
    maxBackpressureBytes: 64 * 1024,
    maxUnsentBytes: 128 * 1024 * 1024,
    deepResumes: 256,
    slowestSeconds: 30,
    messagesPerSecond: 20,
    handshakesPerSecond: 50,
    behindProxy: false,
    maxBadMessages: 10,
    idleTimeoutSeconds: 60,
  }),
}) {}
