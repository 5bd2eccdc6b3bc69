/** Settings of the gateway. Every value has a default. */
import { DELAY_SECONDS } from "@matchpoint/domain/plans"
import { DEFAULT_IPV6_PREFIX } from "@matchpoint/process/http/clientAddress"
import { defaultRoomBounds, type RoomBounds } from "@matchpoint/realtime/LiveRooms"
import { Context } from "effect"

export interface GatewaySettings {
  /**
   * Public base URL without a trailing slash, e.g. `https://api.example.com`. If it is null, responses contain only
   * paths.
   */
  readonly publicUrl: string | null
  /**
   * Public API key for the requests that readers of `/docs` send from the page. If it is null, each reader must enter a
   * key.
   */
  readonly docsKey: string | null
  /** Delay of live data on plans without real-time access, in seconds. */
  readonly delaySeconds: number
  /** How long an archive response is cached for identical requests, in seconds. If it is 0, nothing is cached. */
  readonly answersKeptSeconds: number
  readonly roomBounds: RoomBounds
  /**
   * The part of LIVE that the gateway reads: all matches, or the partitions of the matches that its clients follow. In the
   * second case, it lists the other matches from their list entries.
   */
  readonly reads: "all" | "followed"
  /** Largest message a WebSocket client may send, in bytes. */
  readonly maxMessageBytes: number
  /**
   * Maximum number of unsent bytes buffered for one slow client. If the limit is exceeded, frames (stream messages) for
   * the client are skipped (see SlowPolicy). The buffer may exceed the limit by one frame.
   */
  readonly maxBackpressureBytes: number
  /**
   * Maximum number of unsent bytes buffered for all stream clients together. If it is exceeded, the clients with the
   * most unsent bytes are disconnected within half a second.
   */
  readonly maxUnsentBytes: number
  /**
   * Maximum number of clients that may resume from the event log at the same time. At most 64 frames (stream messages)
   * are buffered for each of these clients. If the maximum is reached, a further client that tries to resume receives a
   * `reset` message instead.
   */
  readonly deepResumes: number
  /** A client that has read none of the data sent to it for this time is disconnected. In seconds. */
  readonly slowestSeconds: number
  /**
   * A WebSocket client has stopped reading if it has not answered a ping for this long, in milliseconds, and at least 256 KB
   * wait for it. Frames for it are skipped until it answers, as if its buffer were full. Without this limit, the kernel
   * would take about 4 MB for each such client.
   */
  readonly unreadMs: number
  /** Number of messages per second that a WebSocket client may send. A burst may be ten times as large. */
  readonly messagesPerSecond: number
  /** Number of connections per second that one IP address may open. A burst may be twenty times as large. */
  readonly handshakesPerSecond: number
  /**
   * True if clients connect through a proxy that sets `x-forwarded-for`. In that case, the last entry of the header is
   * the client's address.
   */
  readonly behindProxy: boolean
  /** Bits of an IPv6 address that limits per address distinguish. */
  readonly ipv6Prefix: number
  /** Number of malformed messages after which a WebSocket client is disconnected. */
  readonly maxBadMessages: number
  /**
   * How long a WebSocket may be silent before it is considered dead, in seconds. Working connections are not silent,
   * because clients respond to the server's pings.
   */
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
