/**
 * The client's side of a live stream: its position in each match, and its connection. Only data; the rules are in
 * `step.ts`.
 */
import type { JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import type { FullCursor } from "@matchpoint/contracts/stream/cursorText"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import type { ClientMessage, Resumed, SlowPolicy } from "@matchpoint/contracts/stream/messages"
import { ALL, matchRoom } from "@matchpoint/contracts/stream/roomNames"
import type { MatchId } from "@matchpoint/domain/ids"
import type { LiveChange, LiveNotice, Missing } from "../LiveChange.ts"
import type { IncomingMessage } from "./IncomingMessage.ts"
import type { LiveFailure } from "./LiveFailure.ts"
import type { Refusal } from "./refusal.ts"

export interface FollowSettings {
  /** Undefined if the client follows all matches. */
  readonly matchId: MatchId | undefined
  readonly shape: Shape
  /** False for server-sent events: the client then reconnects instead of requesting missing data. */
  readonly canSend: boolean
  /** Whether another transport is left in case the key's plan does not include this one. */
  readonly canFallBack: boolean
  readonly maxRateMs: number | undefined
  readonly endWithMatch: boolean
  readonly baseDelayMs: number
  readonly maxDelayMs: number
  readonly maxAttempts: number
}

export interface Times {
  readonly observedAt: string
  readonly receivedAt: string
  readonly publishedAt: string
}

/**
 * State of the client's copy of a match.
 * - `current`: the document is correct.
 * - `needed`: a new document will be requested after the frames already in transit have arrived.
 * - `requested`: a new document has been requested.
 * - `rewinding`: frames were missing, so all frames after the last good one have been requested again.
 * - `doubtful`: the server did not recognize the cursor, so the next snapshot is accepted even if it is older.
 */
export type Health = "current" | "needed" | "requested" | "rewinding" | "doubtful"

/**
 * Progress in one match. `delivered` never exceeds `received`. Events of frames that were received but not delivered
 * wait for a document.
 */
export interface Track {
  readonly matchId: MatchId
  readonly epoch: number
  /** Sequence number of the last change delivered to the reader. Undefined before the first change. */
  readonly delivered: number | undefined
  /** Highest sequence number up to which every frame has arrived or is known to be missing. */
  readonly received: number
  /** Position of the newest frame in the server's log. */
  readonly position: number
  readonly times: Times
  readonly document: JsonObject | undefined
  /** Sequence number of the frame whose state `document` has. */
  readonly documentSeq: number
  readonly events: ReadonlyArray<unknown>
  readonly missing: ReadonlyArray<Missing>
  readonly health: Health
  /** Sequence number after which missing frames were last requested. Prevents a second request for the same gap. */
  readonly rewoundAt: number | undefined
  /** Consecutive documents without the hash stated by the server. */
  readonly badHashes: number
  /**
   * Consecutive heartbeats with a higher sequence number than was received (`behindFor`), or without this match
   * (`unnamedFor`).
   */
  readonly behindFor: number
  readonly unnamedFor: number
}

export type Tracks = ReadonlyMap<MatchId, Track>

export interface FollowState {
  readonly settings: FollowSettings
  readonly tracks: Tracks
  /** Where a stream of all matches resumes. */
  readonly cursor: FullCursor | undefined
  /** Frames arrive in the order of the server's log without gaps, so each can advance the cursor. */
  readonly orderly: boolean
  readonly caughtUp: boolean
  /** The server's answer to the request to resume. It is attached to the next change. */
  readonly verdict: Resumed["verdict"] | undefined
  /** Consecutive heartbeats that listed a match not received yet. */
  readonly unknownFor: number
  readonly heartbeatSeconds: number | undefined
  readonly slow: SlowPolicy | undefined
  /** Consecutive failed connection attempts. */
  readonly failures: number
  /** The current connection has received everything that the client had missed, at least once. */
  readonly succeeded: boolean
  /** When the client reconnects because the server asked it to, in milliseconds since the Unix epoch. */
  readonly backAt: number | undefined
  /** The next connection must request snapshots instead of resuming. */
  readonly needsSnapshots: boolean
}

export type FollowInput =
  /** Messages can be sent. */
  | { readonly _tag: "Opened" }
  /** `cursor` is the id of the server-sent event, if it has one. */
  | { readonly _tag: "Received"; readonly message: IncomingMessage; readonly cursor: FullCursor | undefined; readonly now: number }
  /** Nothing arrived for longer than `silenceLimitMs`. */
  | { readonly _tag: "Silent"; readonly now: number; readonly random: number }
  /**
   * The connection was closed or refused. `code` is the WebSocket close code. `random`, 0 to 1, spreads reconnects. The
   * other fields describe why the handshake was refused.
   */
  | ({
      readonly _tag: "Closed"
      readonly reason: string
      readonly code?: number | undefined
      readonly now: number
      readonly random: number
    } & Refusal)

export type FollowItem =
  | { readonly _tag: "Change"; readonly change: LiveChange<Shape, string> }
  | { readonly _tag: "Notice"; readonly notice: LiveNotice }

export type Next =
  /** Reconnect after `afterMs` milliseconds. The server requested a delay of at least `atLeastMs`. */
  | { readonly _tag: "Reconnect"; readonly afterMs: number; readonly atLeastMs: number }
  /** Keep the connection for another `afterMs` milliseconds, then treat it as closed. */
  | { readonly _tag: "Leave"; readonly afterMs: number }
  /** Switch to the fallback transport immediately. */
  | { readonly _tag: "FallBack" }
  | { readonly _tag: "End" }
  | { readonly _tag: "Fail"; readonly failure: LiveFailure }

export interface Step {
  readonly state: FollowState
  readonly emit: ReadonlyArray<FollowItem>
  readonly send: ReadonlyArray<ClientMessage>
  readonly next: Next | undefined
}

export interface Known {
  readonly matchId: MatchId
  readonly epoch: number
  readonly seq: number
  readonly position: number
  readonly document: JsonObject | undefined
}

const noTimes: Times = { observedAt: "", receivedAt: "", publishedAt: "" }

export const trackFrom = ({ matchId, epoch, seq, position, document }: Known): Track => ({
  matchId,
  epoch,
  delivered: seq,
  received: seq,
  position,
  times: noTimes,
  document,
  documentSeq: document === undefined ? 0 : seq,
  events: [],
  missing: [],
  health: document === undefined ? "needed" : "current",
  rewoundAt: undefined,
  badHashes: 0,
  behindFor: 0,
  unnamedFor: 0,
})

export const initial = (settings: FollowSettings, cursor?: FullCursor, known: Iterable<Known> = []): FollowState => {
  const tracks = new Map<MatchId, Track>()
  for (const one of known) tracks.set(one.matchId, trackFrom(one))
  // Deltas after the cursor cannot be applied to a stored document of another sequence number.
  if (cursor !== undefined && settings.matchId !== undefined) {
    const track = tracks.get(cursor.matchId)
    if (track?.received !== cursor.seq || track.epoch !== cursor.epoch)
      tracks.set(cursor.matchId, trackFrom({ ...cursor, document: undefined }))
  }
  return {
    settings,
    tracks,
    cursor: settings.matchId === undefined ? cursor : undefined,
    orderly: false,
    caughtUp: false,
    verdict: undefined,
    unknownFor: 0,
    heartbeatSeconds: undefined,
    slow: undefined,
    failures: 0,
    succeeded: false,
    backAt: undefined,
    needsSnapshots: false,
  }
}

export const roomOf = ({ matchId }: FollowSettings): string => (matchId === undefined ? ALL : matchRoom(matchId))
