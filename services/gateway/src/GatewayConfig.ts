/** How the edge behaves. Every value has a default. */
import { Context } from "effect"

export interface GatewaySettings {
  /** Where customers reach us, without a trailing slash, e.g. `https://api.example.com`. Null: answers name paths only. */
  readonly publicUrl: string | null
  /** Rooms one WebSocket may follow. */
  readonly maxRoomsPerSocket: number
  /** Largest message a WebSocket client may send. */
  readonly maxMessageBytes: number
  /** Bytes waiting for one slow client before it is closed. */
  readonly maxBackpressureBytes: number
  /** Malformed messages before a WebSocket client is closed. */
  readonly maxBadMessages: number
  /** Silence after which a WebSocket counts as dead; pings keep living ones open. */
  readonly idleTimeoutSeconds: number
}

export class GatewayConfig extends Context.Reference<GatewaySettings>("@matchpoint/service-gateway/GatewayConfig", {
  defaultValue: () => ({
    publicUrl: null,
    maxRoomsPerSocket: 500,
    maxMessageBytes: 16 * 1024,
    maxBackpressureBytes: 2 * 1024 * 1024,
    maxBadMessages: 10,
    idleTimeoutSeconds: 60,
  }),
}) {}
