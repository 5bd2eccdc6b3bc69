/**
 * What other services may ask of the live engine. The same calls over a WebSocket (`/rpc/ws`) and over HTTP (`/rpc`); messages are
 * newline-delimited JSON on both. What a call sees is what the plan of its key allows, delay included. `ListLive` and `GetState` cost one
 * request when they succeed, a stream one when it begins and one for every full 15 seconds, `AppendEvent` nothing.
 */
import { FeedEvent } from "@matchpoint/domain/cs2/feedEvents"
import { MatchId } from "@matchpoint/domain/ids"
import { Schema, Struct } from "effect"
import { Rpc, RpcGroup } from "effect/rpc"
import { LiveMatch, Timestamp } from "../cs2/LiveMatch.ts"
import { CompactSnapshot, LiveDelta, LiveUpdate } from "../stream/frames.ts"
import { FeedTokenRequired, KeyRequired } from "./access.ts"
import { CallerUnknown, FramesGone, LimitReached, MatchCursor, NotEntitled, TryAgain, UnknownMatch } from "./errors.ts"

export const RPC_PATH = "/rpc"
export const RPC_SOCKET_PATH = "/rpc/ws"

/** A match as it is, and the cursor from which `Follow` goes on without a hole. */
export const MatchState = Schema.Struct({ cursor: MatchCursor, publishedAt: Timestamp, match: LiveMatch })
export type MatchState = typeof MatchState.Type

/** A match being played, in short. */
export const LiveRow = LiveMatch.mapFields(
  Struct.pick(["matchId", "status", "source", "bestOf", "eventName", "startedAt", "updatedAt", "seriesScore", "currentGame", "teams"]),
)
export const ListedMatch = Schema.Struct({ cursor: MatchCursor, match: LiveRow })
export type ListedMatch = typeof ListedMatch.Type

const follow = {
  matchId: MatchId,
  /** Go on after this frame. Without it the stream begins with the match as it is. */
  from: Schema.optionalKey(MatchCursor),
} as const

/** What keeps a customer from being served. */
const refusals = [NotEntitled, LimitReached, TryAgain] as const

const followErrors = Schema.Union([UnknownMatch, FramesGone, CallerUnknown, ...refusals])

/** The watchdog and the log tell these; nobody else can know. */
const ourOwn: ReadonlySet<string> = new Set(["SourceChanged", "HistoryLost"])

/** `duplicate`: the fact was told before; `sequence` is that of the first time. */
export const Appended = Schema.Struct({ sequence: Schema.Natural, duplicate: Schema.Boolean })
export type Appended = typeof Appended.Type

export class LiveRpcs extends RpcGroup.make(
  Rpc.make("ListLive", { success: Schema.Array(ListedMatch), error: Schema.Union(refusals) }),
  Rpc.make("GetState", { payload: { matchId: MatchId }, success: MatchState, error: Schema.Union([UnknownMatch, ...refusals]) }),
  /** Every frame once, in order, whole documents; ends with the match. */
  Rpc.make("Follow", { payload: follow, success: LiveUpdate, error: followErrors, stream: true }),
  /** As `Follow`, in shape v2: the document first unless there is a cursor, then what changed. */
  Rpc.make("FollowDeltas", { payload: follow, success: Schema.Union([CompactSnapshot, LiveDelta]), error: followErrors, stream: true }),
  /** Durable when answered. The same fact again appends nothing, so a call that failed may be repeated. */
  Rpc.make("AppendEvent", {
    payload: FeedEvent.check(Schema.makeFilter(({ type }) => (ourOwn.has(type) ? `${type} can't be told by others` : undefined))),
    success: Appended,
    error: Schema.Union([UnknownMatch, TryAgain]),
  }).middleware(FeedTokenRequired),
).middleware(KeyRequired) {}
