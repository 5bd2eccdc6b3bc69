/**
 * RPCs of the live service for other services, for any game. The same calls are available over a WebSocket (`/rpc/ws`)
 * and over HTTP (`/rpc`), in both cases as newline-delimited JSON. The plan of the API key determines what a call
 * returns and with which delay. A successful call to `ListLive` or `GetState` costs one request. A stream costs one
 * request when it starts and one for every full 15 seconds that it stays open. `AppendEvent` costs nothing.
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
  /**
   * Cursor of the frame after which the stream continues. If absent, the stream starts with the current state of the
   * match.
   */
  from: Schema.optionalKey(MatchCursor),
} as const

/**
 * Errors that several RPCs have in common: the plan does not include the call, a limit is reached, or the server is
 * temporarily unavailable.
 */
const refusals = [NotEntitled, LimitReached, TryAgain] as const

const followErrors = Schema.Union([UnknownMatch, FramesGone, CallerUnknown, ...refusals])

/**
 * Result of appending a fact (a reported event). `sequence` is the position of the fact in the log. `duplicate` is true
 * if the fact had already been appended; in that case, `sequence` is the position at which it was appended first.
 */
export const Appended = Schema.Struct({ sequence: Schema.Natural, duplicate: Schema.Boolean })
export type Appended = typeof Appended.Type

/** Schemas of a game's documents and facts (reported events), which give the RPCs their types. */
export interface RpcParts extends FrameParts {
  /** Summary of a live match: the match document in message format v1 without its large fields. */
  readonly row: Schema.Top
  readonly fact: Schema.Top
}

/**
 * Returns the group of RPCs, typed with the documents and facts (reported events) of one game. Only clients need a
 * group per game: a server implements `LiveRpcs`, which covers all games.
 */
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
    /**
     * Streams every frame (message about a change) of a match exactly once and in order. Each frame contains the whole
     * match document. The stream ends when the match ends.
     */
    Rpc.make("Follow", { payload: follow, success: LiveUpdate, error: followErrors, stream: true }),
    /**
     * Like `Follow`, but in message format v2: if the caller passes no cursor, the stream starts with the match
     * document. After that, it consists of deltas.
     */
    Rpc.make("FollowDeltas", { payload: follow, success: Schema.Union([CompactSnapshot, LiveDelta]), error: followErrors, stream: true }),
    /**
     * Appends a fact (a reported event of a match) to the log. When the call succeeds, the fact has been stored
     * durably. A failed call can safely be repeated, because a fact that has already been appended is not appended
     * again.
     */
    Rpc.make("AppendEvent", {
      payload: fact,
      success: Appended,
      error: Schema.Union([UnknownMatch, FactRefused, TryAgain]),
    }).middleware(FeedTokenRequired),
  ).middleware(KeyRequired)
}

/**
 * A fact (a reported event) of any game. Its payload is not validated because the schemas of the game are unknown here.
 */
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
 * The group of RPCs that a server implements. It covers all games because it does not decode documents and facts
 * (reported events). A client for a single game uses the typed group of that game instead.
 */
export class LiveRpcs extends liveRpcs({ ...anyFrameParts, row: AnyDocument, fact: AnyFact }) {}
