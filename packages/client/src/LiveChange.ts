/**
 * What following a match or all of them gives: changes, each with the whole match after it, and notices of what happens to the
 * connection between them. Types only.
 */
import type { JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import type { FullCursor } from "@matchpoint/contracts/stream/cursors"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import type { Heartbeat, MissingRange, Resumed } from "@matchpoint/contracts/stream/messages"
import type { MatchId } from "@matchpoint/domain/ids"
import type { DefaultGame, KnownGames } from "./games.ts"

type DocumentsOf<S extends Shape, G extends string> = G extends keyof KnownGames
  ? KnownGames[G][S]
  : { readonly match: JsonObject; readonly event: JsonObject }

/** The document of a match. A JSON object if this client has no types for the game. */
export type MatchOf<S extends Shape, G extends string = DefaultGame> = DocumentsOf<S, G>["match"]
export type EventOf<S extends Shape, G extends string = DefaultGame> = DocumentsOf<S, G>["event"]

/** Seqs, both included. */
export interface Missing {
  readonly from: number
  readonly to: number
}

export interface LiveChange<S extends Shape = "v2", G extends string = DefaultGame> {
  readonly matchId: MatchId
  /** `(epoch, seq)` is where the match is after this change. Within an epoch seq only rises, and no seq comes twice. */
  readonly epoch: number
  readonly seq: number
  readonly position: number
  /** Seq of the change before it; undefined: this is the first of its match, or history was lost. */
  readonly base: number | undefined
  /** By the feed's clock, by ours, and when the log took it: ISO 8601, of the newest frame in this change. */
  readonly observedAt: string
  readonly receivedAt: string
  readonly publishedAt: string
  /** What happened after `base`, oldest first. Complete unless `missing` names frames, or shape v1 is followed with `maxRateMs`. */
  readonly events: ReadonlyArray<EventOf<S, G>>
  /** Frames after `base` whose events nobody could give us. Almost always empty. */
  readonly missing: ReadonlyArray<Missing>
  /** The whole match. Never changed afterwards; in v2, parts that did not change are the same objects as before. */
  readonly match: MatchOf<S, G>
  /** On the first change after a reconnect: how the server answered our cursor. */
  readonly resumed: Resumed["verdict"] | undefined
  /** Where to go on later (`resume`). Undefined while the matches of `all` are still being sent: the change before it holds. */
  readonly cursor: FullCursor | undefined
}

/** Of no concern to most programs; for those who show the state of the connection or keep books. */
export type LiveNotice =
  /** The server has let us in. */
  | { readonly type: "connected"; readonly plan: string; readonly delaySeconds: number }
  /** All that was there has been sent; from here on changes come as they are made. */
  | { readonly type: "live" }
  | { readonly type: "resumed"; readonly verdict: Resumed["verdict"]; readonly missing: ReadonlyArray<MissingRange> }
  /** Frames we will not get. `slow`: we read too slowly; `log`: the server has lost them; `hole`: the client noticed it by itself. */
  | { readonly type: "gap"; readonly reason: "slow" | "log" | "hole"; readonly missing: ReadonlyArray<MissingRange> }
  /** Our copy did not fit the server's and is being fetched again. The wrong copy was never handed out. */
  | { readonly type: "healing"; readonly matchId: MatchId; readonly reason: "hash" | "hole" | "behind" }
  /** How far the server is and how old that is. */
  | { readonly type: "heartbeat"; readonly at: string; readonly matches: Heartbeat["matches"] }
  /** The connection is gone: what you have is getting old. We try again after `retryInMs`. */
  | { readonly type: "stale"; readonly reason: string; readonly retryInMs: number }

/** Where to go on: the cursor of a change, and the last change of each match you still have. */
export interface ResumePoint<S extends Shape = "v2", G extends string = DefaultGame> {
  readonly cursor: FullCursor
  /**
   * Without the documents a v2 follower is told the events it missed together with its first document; with them, change by change
   * as if it had never been away. v1 needs none.
   */
  readonly matches?: Iterable<Pick<LiveChange<S, G>, "matchId" | "epoch" | "seq" | "position" | "match">>
}
