/** Settings of the gateway. Every value has a default. */
import { DELAY_SECONDS } from "@matchpoint/domain/plans"
import { DEFAULT_IPV6_PREFIX } from "@matchpoint/process/http/clientAddress"
import { defaultRoomBounds, type RoomBounds } from "@matchpoint/realtime/LiveRooms"
import { Context } from "effect"

export interface GatewaySettings {
  /** Public base URL without a trailing slash, e.g. `https://api.example.com`. If it is null, responses contain only paths. */
  readonly publicUrl: string | null
  /** Public key for the requests that readers of `/docs` send from the page. If it is null, readers must enter a key. */
  readonly docsKey: string | null
  /** Delay of live data on plans without real-time access. */
  readonly delaySeconds: number
  /** How long an archive response is cached for identical requests. 0 disables the cache. */
  readonly answersKeptSeconds: number
  readonly roomBounds: RoomBounds
  /** All matches, or the partitions of those that clients follow. The others are then shown by their list entries. */
  readonly reads: "all" | "followed"
  /** Largest message of a WebSocket client. */
  readonly maxMessageBytes: number
  /** Unsent bytes per client. Above the limit, frames are skipped (see SlowPolicy). May be exceeded by one frame. */
  readonly maxBackpressureBytes: number
  /** Unsent bytes of all stream clients. Above it, those with the most are disconnected within half a second. */
  readonly maxUnsentBytes: number
  /** Clients that resume from the event log at once, with up to 64 buffered frames each. More get a `reset` message. */
  readonly deepResumes: number
  /** A client that has read none of the data sent to it for this time is disconnected. */
  readonly slowestSeconds: number
  /**
   * A WebSocket client has stopped reading if it has not answered a ping for this long and at least 256 KB wait for it.
   * Frames for it are skipped until it answers. Without this limit, the kernel would take about 4 MB for each such
   * client.
   */
  readonly unreadMs: number
  /** Messages of one WebSocket client. A burst may be ten times as large. */
  readonly messagesPerSecond: number
  /** Connections that one IP address may open. A burst may be twenty times as large. */
  readonly handshakesPerSecond: number
  /** Clients connect through a proxy that sets `x-forwarded-for`, whose last entry is their address. */
  readonly behindProxy: boolean
  /** Bits of an IPv6 address that limits per address distinguish. */
  readonly ipv6Prefix: number
  /** Malformed messages after which a WebSocket client is disconnected. */
  readonly maxBadMessages: number
  /** A WebSocket that is silent for this long is dead. Working connections are not silent, because clients answer pings. */
  readonly idleTimeoutSeconds: number
}

export class GatewayConfig extends Context.Reference<GatewaySettings>("@matchpoint/game/edge/GatewayConfig", {
  defaultValue: () => ({
    publicUrl: null,
    docsKey: null,
    delaySeconds: DELAY_SECONDS,
    answersKeptSeconds: 10,
    roomBounds: defaultRoomBounds,
    reads: "all",
    maxMessageBytes: 16 * 1024,
    maxBackpressureBytes: 64 * 1024,
    maxUnsentBytes: 128 * 1024 * 1024,
    deepResumes: 256,
    slowestSeconds: 30,
    unreadMs: 2_000,
    messagesPerSecond: 20,
    handshakesPerSecond: 50,
    behindProxy: false,
    ipv6Prefix: DEFAULT_IPV6_PREFIX,
    maxBadMessages: 10,
    idleTimeoutSeconds: 60,
  }),
}) {}
