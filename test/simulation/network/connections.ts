/** How the two ends of a simulated connection know each other. */
import type { LinkSpeed } from "./Wire.ts"

export interface ConnectRequest {
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly address: readonly [number, number, number, number]
  readonly speed: LinkSpeed
}

/** What a client hears. Each call is an arrival of its own. */
export interface Listener {
  /** Whether it would answer a ping. */
  readonly isAlive: () => boolean
  readonly rejected: (status: number, body: string) => void
  readonly opened: (server: ServerEnd) => void
  /** The connection broke. */
  readonly lost: () => void
}

export interface SocketClient extends Listener {
  readonly message: (bytes: Uint8Array, sentAt: number) => void
  readonly closed: (code: number, reason: string) => void
}

export interface StreamClient extends Listener {
  /** Whole events, as they were written. */
  readonly chunk: (bytes: Uint8Array, sentAt: number) => void
  readonly ended: () => void
}

/** What a client can do to the server. */
export interface ServerEnd {
  readonly receive: (text: string | Uint8Array) => void
  /** The client has gone, and the server knows it now. */
  readonly peerLeft: (code?: number) => void
  readonly change: (speed: LinkSpeed) => void
  /** The most that ever waited in the server for this client, and the largest message among it, bytes. */
  readonly mostWaiting: number
  readonly largest: number
}
