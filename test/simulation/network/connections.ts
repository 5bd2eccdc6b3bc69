/** Interfaces between the two ends of a simulated connection. */
import type { LinkSpeed } from "./Wire.ts"

export interface ConnectionAttempt {
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly address: readonly [number, number, number, number]
  readonly speed: LinkSpeed
}

/** Callbacks of a client. Each call is a separate arrival. */
export interface Listener {
  /** Whether the client would answer a ping. */
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

/** Operations of a client on the server. */
export interface ServerEnd {
  readonly receive: (text: string | Uint8Array) => void
  /** The client has disconnected, and the server knows it now. */
  readonly peerLeft: (code?: number) => void
  readonly change: (speed: LinkSpeed) => void
  /**
   * Most bytes that ever waited in the server for this client, and the size of the largest message sent to it, in
   * bytes.
   */
  readonly mostWaiting: number
  readonly largest: number
}
