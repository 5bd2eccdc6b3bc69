/** One client of a run, and what it needs to know. */
import type { TranscriptEntry } from "../../check/transcript.ts"

export interface FollowerPlan {
  readonly name: string
  readonly key: string
  /** Ports of the gateways. The client begins with one of them and takes the next one after each lost connection. */
  readonly gateways: ReadonlyArray<number>
  /** Number of the client, which chooses its first gateway. */
  readonly index: number
  readonly localAddress: string
  /** Id of a match, or `all`. */
  readonly room: string
  readonly transport: "websocket" | "sse"
}

export interface Follower {
  readonly entries: ReadonlyArray<TranscriptEntry>
  readonly isOpen: boolean
  readonly isLive: boolean
  /** Newest seq that the client has of a match, 0 if none. */
  readonly seqOf: (matchId: string) => number
  readonly start: () => void
  readonly close: () => void
}
