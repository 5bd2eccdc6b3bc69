/**
 * Types of the items in a live stream: changes, each with the complete match after the change, and notices about the
 * connection, which arrive between the changes.
 */
import type { JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import type { FullCursor } from "@matchpoint/contracts/stream/cursorText"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import type { Heartbeat, MissingRange, Resumed } from "@matchpoint/contracts/stream/messages"
import type { MatchId } from "@matchpoint/domain/ids"
import type { DefaultGame, KnownGames } from "./games.ts"

type DocumentsOf<S extends Shape, G extends string> = G extends keyof KnownGames
  ? KnownGames[G][S]
  : { readonly match: JsonObject; readonly event: JsonObject }

/** Type of a match document. A generic JSON object if this client has no types for the game. */
export type MatchOf<S extends Shape, G extends string = DefaultGame> = DocumentsOf<S, G>["match"]
export type EventOf<S extends Shape, G extends string = DefaultGame> = DocumentsOf<S, G>["event"]

/** A range of missing frames by seq, from `from` to `to` inclusive. */
export interface Missing {
  readonly from: number
  readonly to: number
}

export interface LiveChange<S extends Shape = "v2", G extends string = DefaultGame> {
  readonly matchId: MatchId
  /**
   * `(epoch, seq)` identifies the state of the match after this change. Within an epoch, `seq` always increases, and no
   * `seq` is delivered twice.
   */
  readonly epoch: number
  readonly seq: number
  readonly position: number
  /**
   * Seq of the previous change. Undefined for the first change of a match, and for the first change after history was
   * lost.
   */
  readonly base: number | undefined
  /**
   * ISO 8601 times of the newest frame in this change: when the feed observed it, by the feed's clock, when the service
   * received it, and when the service published it.
   */
  readonly observedAt: string
  readonly receivedAt: string
  readonly publishedAt: string
  /**
   * Events after `base`, oldest first. Complete, except for the frames in `missing`. In shape v1 with `maxRateMs`,
   * events of skipped frames are missing too.
   */
  readonly events: ReadonlyArray<EventOf<S, G>>
  /** Frames after `base` that could not be recovered. Almost always empty. */
  readonly missing: ReadonlyArray<Missing>
  /**
   * The complete match after this change. Immutable. In shape v2, parts that did not change are the same objects as in
   * the previous change.
   */
  readonly match: MatchOf<S, G>
  /**
   * The server's response to the resume cursor. Set only on the first change after a reconnect, otherwise undefined.
   */
  readonly resumed: Resumed["verdict"] | undefined
  /**
   * Position at which a later stream can resume, for the option `resume`. Undefined while the server is still sending
   * the initial snapshots of the room `all`; until then, keep the previous cursor.
   */
  readonly cursor: FullCursor | undefined
}

/** A change in the state of the connection, for programs that display or log it. */
export type LiveNotice =
  /** The server has accepted the connection. */
  | { readonly type: "connected"; readonly plan: string; readonly delaySeconds: number; readonly transport: "websocket" | "sse" }
  /** The client has caught up. From now on, changes arrive as they happen. */
  | { readonly type: "live" }
  | { readonly type: "resumed"; readonly verdict: Resumed["verdict"]; readonly missing: ReadonlyArray<MissingRange> }
  /**
   * Some frames will not arrive. `reason` is `slow` if the client read too slowly, `log` if the server no longer has
   * the frames, and `hole` if the client detected the gap.
   */
  | { readonly type: "gap"; readonly reason: "slow" | "log" | "hole"; readonly missing: ReadonlyArray<MissingRange> }
  /**
   * The client's copy of a match was wrong or incomplete, so the client requested it again. The wrong document was not
   * delivered.
   */
  | { readonly type: "healing"; readonly matchId: MatchId; readonly reason: "hash" | "hole" | "behind" }
  /** The newest seq of each match on the server, and the age of the newest frame of each match. */
  | { readonly type: "heartbeat"; readonly at: string; readonly matches: Heartbeat["matches"] }
  /**
   * The connection was lost, so the client's data is getting stale. The next connection attempt follows after
   * `retryInMs`.
   */
  | { readonly type: "stale"; readonly reason: string; readonly retryInMs: number }

/**
 * Position at which a stream resumes: the cursor of a change and, if the caller has stored them, the last change of
 * each match.
 */
export interface ResumePoint<S extends Shape = "v2", G extends string = DefaultGame> {
  readonly cursor: FullCursor
  /**
   * The last change of each match. With them, a v2 stream delivers every missed change. Without them, it delivers the
   * missed events together with the first document. Not needed in shape v1.
   */
  readonly matches?: Iterable<Pick<LiveChange<S, G>, "matchId" | "epoch" | "seq" | "position" | "match">>
}
