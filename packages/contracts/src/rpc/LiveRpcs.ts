/**
 * What other services may ask of the live engine, whatever the game. The same calls over a WebSocket (`/rpc/ws`) and over HTTP (`/rpc`);
 * messages are newline-delimited JSON on both. What a call sees is what the plan of its key allows, delay included. `ListLive` and
 * `GetState` cost one request when they succeed, a stream one when it begins and one for every full 15 seconds, `AppendEvent` nothing.
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

/** Calls in one request body or WebSocket message. effect's client sends one at a time unless it is configured to batch. */
export const MAX_RPC_CALLS = 64

const follow = {
  matchId: MatchId,
  /** Go on after this frame. Without it the stream begins with the match as it is. */
  from: Schema.optionalKey(MatchCursor),
} as const

/** What keeps a customer from being served. */
const refusals = [NotEntitled, LimitReached, TryAgain] as const

const followErrors = Schema.Union([UnknownMatch, FramesGone, CallerUnknown, ...refusals])

/** `duplicate`: the fact was told before; `sequence` is that of the first time. */
export const Appended = Schema.Struct({ sequence: Schema.Natural, duplicate: Schema.Boolean })
export type Appended = typeof Appended.Type

/** What the calls carry of a game. */
export interface RpcParts extends FrameParts {
  /** A match being played, in short: the document in shape v1 without its long parts. */
  readonly row: Schema.Top
  readonly fact: Schema.Top
}

/** The calls with the documents and facts of a game. A server answers every game with one group; see `LiveRpcs`. */
export const liveRpcs = <const Parts extends RpcParts>(parts: Parts) => {
  const { CompactSnapshot, LiveDelta, LiveUpdate } = framesOf(parts)
  const row: Parts["row"] = parts.row
  const full: Parts["full"] = parts.full
  const fact: Parts["fact"] = parts.fact
  return RpcGroup.make(
    /** Of one game, or of every game that the plan includes. */
    Rpc.make("ListLive", {
      payload: Schema.NullOr(Schema.Struct({ game: Schema.optionalKey(GameName) })),
      success: Schema.Array(Schema.Struct({ cursor: MatchCursor, match: row })),
      error: Schema.Union(refusals),
    }),
    /** A match as it is, and the cursor from which `Follow` goes on without a hole. */
    Rpc.make("GetState", {
      payload: { matchId: MatchId },
      success: Schema.Struct({ cursor: MatchCursor, publishedAt: Timestamp, match: full }),
      error: Schema.Union([UnknownMatch, ...refusals]),
    }),
    /** Every frame once, in order, whole documents; ends with the match. */
    Rpc.make("Follow", { payload: follow, success: LiveUpdate, error: followErrors, stream: true }),
    /** As `Follow`, in shape v2: the document first unless there is a cursor, then what changed. */
    Rpc.make("FollowDeltas", { payload: follow, success: Schema.Union([CompactSnapshot, LiveDelta]), error: followErrors, stream: true }),
    /** Durable when answered. The same fact again appends nothing, so a call that failed may be repeated. */
    Rpc.make("AppendEvent", {
      payload: fact,
      success: Appended,
      error: Schema.Union([UnknownMatch, FactRefused, TryAgain]),
    }).middleware(FeedTokenRequired),
  ).middleware(KeyRequired)
}

/** A fact of a game that is not known here. */
export const AnyFact = Schema.Struct({
  id: FactId,
  matchId: MatchId,
  source: Schema.Literals(["main", "backup"]),
  observedAt: Schema.Natural,
  receivedAt: Schema.Natural,
  type: Schema.String,
  payload: Schema.Unknown,
})

/** What a server answers: each game's documents and facts as they are. A client that knows a game uses that game's group. */
export class LiveRpcs extends liveRpcs({ ...anyFrameParts, row: AnyDocument, fact: AnyFact }) {}
