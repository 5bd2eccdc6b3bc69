/**
 * RPCs of the live engine for other services, for any game. The same calls are available over a WebSocket (`/rpc/ws`)
 * and over HTTP (`/rpc`). Messages are newline-delimited JSON on both. The plan of the key determines what a call
 * returns, including the delay. `ListLive` and `GetState` cost one request if they succeed. A stream costs one request
 * when it starts and one for every full 15 seconds. `AppendEvent` costs nothing.
 */
import { FactId, GameName, MatchId } from "@matchpoint/domain/ids"
import { Schema } from "effect"
import { Rpc, RpcGroup } from "effect/rpc"
import { AnyDocument, anyFrameParts, type FrameParts, framesOf } from "../stream/frames.ts"
import { Timestamp } from "../timestamp.ts"
import { FeedTokenRequired, KeyRequired } from "./access.ts"
import { CallerUnknown, FactRefused, FramesGone, LimitReached, MatchCursor, NotEntitled, TryAgain, UnknownMatch } from "./errors.ts"

export const RPC_PATH = "/rpc"
export const RPC_SOCKET_PATH = "/rpc/ws"

/**
 * Maximum number of calls in one request body or WebSocket message. The RPC client of Effect sends one call at a time
 * unless it is configured to batch.
 */
export const MAX_RPC_CALLS = 64

const follow = {
  matchId: MatchId,
  /** Continue after this frame. Without it, the stream starts with the current state of the match. */
  from: Schema.optionalKey(MatchCursor),
} as const

/** Errors of entitlement, limits and availability. */
const refusals = [NotEntitled, LimitReached, TryAgain] as const

const followErrors = Schema.Union([UnknownMatch, FramesGone, CallerUnknown, ...refusals])

/** `duplicate` is true if the fact was appended before; `sequence` is then that of the first time. */
export const Appended = Schema.Struct({ sequence: Schema.Natural, duplicate: Schema.Boolean })
export type Appended = typeof Appended.Type

/** The schemas that a game supplies for the calls. */
export interface RpcParts extends FrameParts {
  /** Summary of a live match: the document in shape v1 without its long parts. */
  readonly row: Schema.Top
  readonly fact: Schema.Top
}

/** Returns the calls with the documents and facts of a game. A server uses one group for all games, see `LiveRpcs`. */
export const liveRpcs = <const Parts extends RpcParts>(parts: Parts) => {
  const { CompactSnapshot, LiveDelta, LiveUpdate } = framesOf(parts)
  const row: Parts["row"] = parts.row
  const full: Parts["full"] = parts.full
  const fact: Parts["fact"] = parts.fact
  return RpcGroup.make(
    /** Lists the live matches of one game, or of every game that the plan includes. */
    Rpc.make("ListLive", {
      payload: Schema.NullOr(Schema.Struct({ game: Schema.optionalKey(GameName) })),
      success: Schema.Array(Schema.Struct({ cursor: MatchCursor, match: row })),
      error: Schema.Union(refusals),
    }),
    /** Returns the current state of a match, and the cursor from which `Follow` continues without a gap. */
    Rpc.make("GetState", {
      payload: { matchId: MatchId },
      success: Schema.Struct({ cursor: MatchCursor, publishedAt: Timestamp, match: full }),
      error: Schema.Union([UnknownMatch, ...refusals]),
    }),
    /** Streams every frame exactly once and in order, with whole documents. Ends with the match. */
    Rpc.make("Follow", { payload: follow, success: LiveUpdate, error: followErrors, stream: true }),
    /** Like `Follow`, in shape v2: first the document, unless the caller sends a cursor, then the changes. */
    Rpc.make("FollowDeltas", { payload: follow, success: Schema.Union([CompactSnapshot, LiveDelta]), error: followErrors, stream: true }),
    /**
     * Appends a fact. The fact is durable when the call succeeds. Sending the same fact again appends nothing, so a
     * failed call can be repeated.
     */
    Rpc.make("AppendEvent", {
      payload: fact,
      success: Appended,
      error: Schema.Union([UnknownMatch, FactRefused, TryAgain]),
    }).middleware(FeedTokenRequired),
  ).middleware(KeyRequired)
}

/** A fact of a game whose schemas are unknown here. */
export const AnyFact = Schema.Struct({
  id: FactId,
  matchId: MatchId,
  source: Schema.Literals(["main", "backup"]),
  observedAt: Schema.Natural,
  receivedAt: Schema.Natural,
  type: Schema.String,
  payload: Schema.Unknown,
})

/**
 * The group that a server implements: documents and facts of all games, without decoding them. A client for one game
 * uses the group of that game.
 */
export class LiveRpcs extends liveRpcs({ ...anyFrameParts, row: AnyDocument, fact: AnyFact }) {}
