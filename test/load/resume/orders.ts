// Owns what the processes of the measurement of resumes say to each other.
import type { Shape } from "@matchpoint/contracts/stream/frames"

/** Everyone follows one match, or everyone all of them. */
export type Room = "match" | "all"

export interface Listening {
  readonly port: number
}

export type ServerOrder =
  /** Frames from now on, the matches in turns; answered at once. */
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
  /** Everyone at once, with its cursors; answered with `Returned` when all have caught up. */
  | { readonly kind: "return"; readonly atOnce: number }
  /** Waits until everyone has the newest frames; answered with `Verified`. */
  | { readonly kind: "verify"; readonly seqs: ReadonlyArray<number> }

export interface Returned {
  readonly clients: number
  /** From the moment all began to connect. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly lastMs: number
  readonly verdicts: Readonly<Record<string, number>>
  /** Handshakes that were tried again. */
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
  /** Snapshots sent to somebody who came with a cursor. */
  readonly snapshots: number
}
