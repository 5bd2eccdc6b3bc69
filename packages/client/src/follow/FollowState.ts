/**
 * What a follower knows: where it is in each match, and how its connection is doing. Data only; `step.ts` has the rules.
 */

import type { JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import type { FullCursor } from "@matchpoint/contracts/stream/cursors"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import type { ClientMessage, Resumed, SlowPolicy } from "@matchpoint/contracts/stream/messages"
import { ALL, matchRoom } from "@matchpoint/contracts/stream/rooms"
import type { MatchId } from "@matchpoint/domain/ids"
import { HashMap } from "effect"
import type { LiveChange, LiveNotice, Missing } from "../LiveChange.ts"
import type { LiveError } from "../LiveError.ts"
import type { ApiError } from "../transport/refusal.ts"
import type { IncomingMessage } from "./IncomingMessage.ts"

export interface FollowSettings {
  /** Undefined: all matches. */
  readonly matchId: MatchId | undefined
  readonly shape: Shape
  /** Over SSE a client cannot say anything: it heals by connecting again. */
  readonly canSend: boolean
  /** There is another transport for plans that do not have this one. */
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
 * `wanted`: its document must come anew, and is asked for as soon as all frames on the way have come; `asked`: it was asked for;
 * `rewinding`: frames are missing, and all after the last good one have been asked for; `doubtful`: the server did not know our cursor,
 * so the next snapshot is right even where it is older.
 */
export type Health = "well" | "wanted" | "asked" | "rewinding" | "doubtful"

/** One match. `told <= heard`; between them lie frames whose events are held until there is a document to tell them with. */
export interface Track {
  readonly matchId: MatchId
  readonly epoch: number
  /** Seq of the last change handed out; undefined before the first. */
  readonly told: number | undefined
  /** Seq up to which every frame has come or is known to be missing. */
  readonly heard: number
  /** Position of the newest frame that came. */
  readonly position: number
  readonly times: Times
  readonly document: JsonObject | undefined
  /** Seq of the document. */
  readonly documentSeq: number
  readonly events: ReadonlyArray<unknown>
  readonly missing: ReadonlyArray<Missing>
  readonly health: Health
  /** Seq from which frames were asked for again, so that one hole is not asked for twice. */
  readonly rewoundAt: number | undefined
  /** Documents in a row that did not fit their hash. */
  readonly badHashes: number
  /** Heartbeats in a row that named a higher seq, or did not name this match. */
  readonly behindFor: number
  readonly unnamedFor: number
}

export interface FollowState {
  readonly settings: FollowSettings
  readonly tracks: HashMap.HashMap<MatchId, Track>
  /** Where to resume the room `all`. */
  readonly cursor: FullCursor | undefined
  /** Frames come in the order of the log and none is left out: each of them moves the cursor. */
  readonly orderly: boolean
  readonly caughtUp: boolean
  /** For the first change after it. */
  readonly verdict: Resumed["verdict"] | undefined
  /** Heartbeats in a row that named a match we have never heard of. */
  readonly unknownFor: number
  readonly heartbeatSeconds: number | undefined
  readonly slow: SlowPolicy | undefined
  /** Attempts to connect in a row that have led to nothing. */
  readonly failures: number
  /** This connection has led to something: it has caught up once. */
  readonly succeeded: boolean
  /** Set when the server told us to leave: when to be back. */
  readonly backAt: number | undefined
  /** The next connection begins with snapshots. */
  readonly startAnew: boolean
}

export type FollowInput =
  /** The connection is open; messages can be sent. */
  | { readonly _tag: "Opened" }
  /** `cursor`: the SSE id of this very event. */
  | { readonly _tag: "Heard"; readonly message: IncomingMessage; readonly cursor: FullCursor | undefined; readonly now: number }
  /** Nothing came for longer than `silenceLimitMs`. */
  | { readonly _tag: "Silent"; readonly now: number; readonly random: number }
  /** `status` and `error`: the handshake was answered with them. `code`: of the WebSocket. `random`: 0..1. */
  | {
      readonly _tag: "Closed"
      readonly reason: string
      readonly status?: number | undefined
      readonly code?: number | undefined
      readonly retryAfterMs?: number | undefined
      readonly error?: ApiError | undefined
      readonly now: number
      readonly random: number
    }

export type FollowItem =
  | { readonly _tag: "Change"; readonly change: LiveChange<Shape, string> }
  | { readonly _tag: "Notice"; readonly notice: LiveNotice }

export type Next =
  /** Close the connection, if it is open, and open another after a while. */
  | { readonly _tag: "Reconnect"; readonly afterMs: number }
  /** As `Closed`, once this time is over; until then stay. */
  | { readonly _tag: "Leave"; readonly afterMs: number }
  /** Go on over the other transport, at once. */
  | { readonly _tag: "FallBack" }
  | { readonly _tag: "End" }
  | { readonly _tag: "Fail"; readonly error: LiveError }

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
  told: seq,
  heard: seq,
  position,
  times: noTimes,
  document,
  documentSeq: document === undefined ? 0 : seq,
  events: [],
  missing: [],
  health: document === undefined ? "wanted" : "well",
  rewoundAt: undefined,
  badHashes: 0,
  behindFor: 0,
  unnamedFor: 0,
})

export const initial = (settings: FollowSettings, cursor?: FullCursor, known: Iterable<Known> = []): FollowState => {
  const tracks = new Map<MatchId, Track>()
  for (const one of known) tracks.set(one.matchId, trackFrom(one))
  // A match is resumed from its cursor; a document of another moment would not fit.
  if (cursor !== undefined && settings.matchId !== undefined) {
    const track = tracks.get(cursor.matchId)
    if (track?.heard !== cursor.seq || track.epoch !== cursor.epoch)
      tracks.set(cursor.matchId, trackFrom({ ...cursor, document: undefined }))
  }
  return {
    settings,
    tracks: HashMap.fromIterable(tracks),
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
