// Owns the messages between the processes of the resume benchmark.
import type { Shape } from "@matchpoint/contracts/stream/frames"

/** Each client follows one match, or all clients follow all matches. */
export type Room = "match" | "all"

export interface Listening {
  readonly port: number
}

export type ServerOrder =
  /** Publishes frames from now on, the matches in turn. Answered at once. */
  | { readonly kind: "start"; readonly rate: number }
  /** Answered with `Stopped`. */
  | { readonly kind: "stop" }
  /** Answered with `Usage`. */
  | { readonly kind: "usage" }

export interface Stopped {
  /** The newest seq of each match. */
  readonly seqs: ReadonlyArray<number>
}

export interface Usage {
  readonly cpuUs: number
  readonly rss: number
  readonly peakRss: number
}

export type GeneratorOrder =
  | {
      readonly kind: "connect"
      readonly port: number
      readonly clients: number
      readonly matches: number
      readonly room: Room
      readonly shapes: ReadonlyArray<Shape>
    }
  /** Cuts every connection. */
  | { readonly kind: "cut" }
  /** Reconnects all clients with their cursors. Answered with `Returned` once all have caught up. */
  | { readonly kind: "return"; readonly atOnce: number }
  /** Waits until all clients have the newest frames. Answered with `Verified`. */
  | { readonly kind: "verify"; readonly seqs: ReadonlyArray<number> }

export interface Returned {
  readonly clients: number
  /** Measured from the first reconnection attempt. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly lastMs: number
  readonly verdicts: Readonly<Record<string, number>>
  /** Handshakes that were retried. */
  readonly retries: number
  readonly cpuShare: number
}

export interface Verified {
  readonly frames: number
  readonly lost: number
  readonly duplicated: number
  /** Clients that do not have the newest frames. */
  readonly behind: number
  readonly gaps: number
  /** Snapshots sent to clients that resumed with a cursor. */
  readonly snapshots: number
}
