/**
 * RPCs of the live service for other services, over a WebSocket (`/rpc/ws`) and over HTTP (`/rpc`), as
 * newline-delimited JSON. The plan of the API key determines what a call returns and with which delay. A successful
 * `ListLive` or `GetState` costs one request. A stream costs one when it starts and one for every full 15 seconds.
 * `AppendEvent` costs nothing.
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
 * Maximum per request body or WebSocket message. Effect's RPC client sends one call at a time unless it is configured
 * to batch.
 */
export const MAX_RPC_CALLS = 64

const follow = {
  matchId: MatchId,
  /** Cursor of the frame after which the stream continues. If absent, it starts with the current state. */
  from: Schema.optionalKey(MatchCursor),
} as const

const refusals = [NotEntitled, LimitReached, TryAgain] as const

const followErrors = Schema.Union([UnknownMatch, FramesGone, CallerUnknown, ...refusals])

/** `sequence` is the position of the fact in the log. If `duplicate` is true, the fact had already been appended there. */
export const Appended = Schema.Struct({ sequence: Schema.Natural, duplicate: Schema.Boolean })
export type Appended = typeof Appended.Type

/** Schemas of a game's documents and facts, which give the RPCs their types. */
export interface RpcParts extends FrameParts {
  /** The match document in message format v1 without its large fields. */
  readonly row: Schema.Top
  readonly fact: Schema.Top
}

/** RPCs typed for one game, for clients. A server implements `LiveRpcs`, which covers all games. */
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
    /** Every frame of a match exactly once and in order, with the whole document. Ends when the match ends. */
    Rpc.make("Follow", { payload: follow, success: LiveUpdate, error: followErrors, stream: true }),
    /** Like `Follow`, but in message format v2: deltas, after the match document if the caller passes no cursor. */
    Rpc.make("FollowDeltas", { payload: follow, success: Schema.Union([CompactSnapshot, LiveDelta]), error: followErrors, stream: true }),
    /**
     * Appends a fact to the log. On success, it has been stored durably. A failed call can safely be repeated: a fact
     * is appended once.
     */
    Rpc.make("AppendEvent", {
      payload: fact,
      success: Appended,
      error: Schema.Union([UnknownMatch, FactRefused, TryAgain]),
    }).middleware(FeedTokenRequired),
  ).middleware(KeyRequired)
}

/** A fact of any game. Its payload is not validated, because the schemas of the game are unknown here. */
export const AnyFact = Schema.Struct({
  id: FactId,
  matchId: MatchId,
  source: Schema.Literals(["main", "backup"]),
  observedAt: Schema.Natural,
  receivedAt: Schema.Natural,
  type: Schema.String,
  payload: Schema.Unknown,
})

/** The RPCs that a server implements, for all games. They do not decode documents and facts. */
export class LiveRpcs extends liveRpcs({ ...anyFrameParts, row: AnyDocument, fact: AnyFact }) {}
