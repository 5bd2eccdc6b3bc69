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
  /**
   * Part of LIVE that the gateway reads: all matches, or the partitions of the matches that its clients follow. In the
   * second case, it lists the other matches from their list entries.
   */
  readonly reads: "all" | "followed"
  /** Largest message of a WebSocket client. */
  readonly maxMessageBytes: number
  /**
   * Unsent bytes buffered for one client. Above the limit, frames for the client are skipped (see SlowPolicy). The
   * buffer may exceed the limit by one frame.
   */
  readonly maxBackpressureBytes: number
  /**
   * Unsent bytes buffered for all stream clients together. Above the limit, the clients with the most unsent bytes are
   * disconnected within half a second.
   */
  readonly maxUnsentBytes: number
  /**
   * Clients that may resume from the event log at the same time. At most 64 frames are buffered for each of them.
   * Further clients that try to resume receive a `reset` message instead.
   */
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
  /**
   * True if clients connect through a proxy that sets `x-forwarded-for`. The last entry of the header is then their
   * address.
   */
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
