/** The state of a follower: its place in each match, and the state of its connection. Data only; `step.ts` has the rules. */

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
  /** Undefined: all matches. */
  readonly matchId: MatchId | undefined
  readonly shape: Shape
  /** False over SSE: the client cannot send, and recovers by connecting again. */
  readonly canSend: boolean
  /** Another transport is available for plans that do not include this one. */
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
 * `current`: the document is right. `needed`: a new document is required, and is requested once the frames on the way have arrived.
 * `requested`: it was requested. `rewinding`: frames are missing, and all frames after the last good one were requested. `doubtful`: the
 * server did not know the cursor, so the next snapshot is right even if it is older.
 */
export type Health = "current" | "needed" | "requested" | "rewinding" | "doubtful"

/** One match. `delivered <= received`; events of the frames between them wait for a document to be delivered with. */
export interface Track {
  readonly matchId: MatchId
  readonly epoch: number
  /** Seq of the last change that the reader got; undefined before the first. */
  readonly delivered: number | undefined
  /** Seq up to which every frame has arrived or is known to be missing. */
  readonly received: number
  /** Position of the newest frame. */
  readonly position: number
  readonly times: Times
  readonly document: JsonObject | undefined
  /** Seq of the document. */
  readonly documentSeq: number
  readonly events: ReadonlyArray<unknown>
  readonly missing: ReadonlyArray<Missing>
  readonly health: Health
  /** Seq after which frames were requested again, so that a hole is requested only once. */
  readonly rewoundAt: number | undefined
  /** Consecutive documents that did not match their hash. */
  readonly badHashes: number
  /** Consecutive heartbeats that named a higher seq, or did not name this match. */
  readonly behindFor: number
  readonly unnamedFor: number
}

export type Tracks = ReadonlyMap<MatchId, Track>

export interface FollowState {
  readonly settings: FollowSettings
  readonly tracks: Tracks
  /** Where to resume the room `all`. */
  readonly cursor: FullCursor | undefined
  /** Frames arrive in the order of the log without holes: each of them moves the cursor. */
  readonly orderly: boolean
  readonly caughtUp: boolean
  /** Attached to the next change. */
  readonly verdict: Resumed["verdict"] | undefined
  /** Consecutive heartbeats that named an unknown match. */
  readonly unknownFor: number
  readonly heartbeatSeconds: number | undefined
  readonly slow: SlowPolicy | undefined
  /** Consecutive failed connection attempts. */
  readonly failures: number
  /** This connection has caught up once. */
  readonly succeeded: boolean
  /** When to connect again, epoch ms, after the server asked clients to leave. */
  readonly backAt: number | undefined
  /** The next connection starts with snapshots instead of a cursor. */
  readonly startAnew: boolean
}

export type FollowInput =
  /** The connection is open; messages can be sent. */
  | { readonly _tag: "Opened" }
  /** `cursor`: the SSE id of this very event. */
  | { readonly _tag: "Received"; readonly message: IncomingMessage; readonly cursor: FullCursor | undefined; readonly now: number }
  /** Nothing arrived for longer than `silenceLimitMs`. */
  | { readonly _tag: "Silent"; readonly now: number; readonly random: number }
  /** The refusal is that of the handshake. `code`: the WebSocket's close code. `random`: 0..1. */
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
  /** Close the connection and open another after `afterMs`. `atLeastMs`: the part of it that the server asked for. */
  | { readonly _tag: "Reconnect"; readonly afterMs: number; readonly atLeastMs: number }
  /** Stay for this time, then treat the connection as closed. */
  | { readonly _tag: "Leave"; readonly afterMs: number }
  /** Continue over the other transport at once. */
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
  // A match resumes from its cursor; a document of another seq would not match the deltas.
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
    startAnew: false,
  }
}

export const roomOf = ({ matchId }: FollowSettings): string => (matchId === undefined ? ALL : matchRoom(matchId))
