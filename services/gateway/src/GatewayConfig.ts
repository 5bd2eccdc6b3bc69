/** Settings of the gateway. Every value has a default. */
import { DELAY_SECONDS } from "@matchpoint/domain/plans"
import { defaultRoomBounds, type RoomBounds } from "@matchpoint/realtime/LiveRooms"
import { Context } from "effect"

export interface GatewaySettings {
  /** Public base URL without a trailing slash, e.g. `https://api.example.com`. Null: responses contain only paths. */
  readonly publicUrl: string | null
  /** A public API key that `/docs` uses for the requests its readers try. Null: each reader enters a key. */
  readonly docsKey: string | null
  /** Delay of live data on plans without real-time access, in seconds. */
  readonly delaySeconds: number
  /** Seconds for which an archive response is reused for identical requests. 0: every response is computed. */
  readonly answersKeptSeconds: number
  readonly roomBounds: RoomBounds
  /** Largest message a WebSocket client may send, in bytes. */
  readonly maxMessageBytes: number
  /**
   * Bytes that may wait for one slow client before it starts to skip frames, see SlowPolicy. One more frame may be
   * waiting.
   */
  readonly maxBackpressureBytes: number
  /**
   * Bytes that may wait for all stream clients together. Above that, the clients with the most waiting bytes are
   * disconnected within half a second.
   */
  readonly maxUnsentBytes: number
  /**
   * Clients that may resume from the log at the same time, 16 or more. Each holds at most 64 frames. Further clients
   * get `reset`.
   */
  readonly deepResumes: number
  /** Seconds after which a client that reads nothing is disconnected. */
  readonly slowestSeconds: number
  /** Messages per second that a WebSocket client may send. A burst may be ten times as large. */
  readonly messagesPerSecond: number
  /** Connections per second that one IP address may open. A burst may be twenty times as large. */
  readonly handshakesPerSecond: number
  /**
   * True if clients connect through a proxy that sets `x-forwarded-for`. Its last entry is then the client's address.
   */
  readonly behindProxy: boolean
  /** Malformed messages after which a WebSocket client is disconnected. */
  readonly maxBadMessages: number
  /** Seconds of silence after which a WebSocket is considered dead. Pings keep working connections open. */
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
