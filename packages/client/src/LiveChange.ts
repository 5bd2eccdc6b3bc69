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

/** A range of missing frames of one match, by sequence number, from `from` to `to` inclusive. */
export interface Missing {
  readonly from: number
  readonly to: number
}

export interface LiveChange<S extends Shape = "v2", G extends string = DefaultGame> {
  readonly matchId: MatchId
  /**
   * `(epoch, seq)` identifies the state of the match after this change. Within an epoch, the sequence number `seq`
   * always increases, and no `seq` is delivered twice.
   */
  readonly epoch: number
  readonly seq: number
  readonly position: number
  /**
   * Sequence number (`seq`) of the previous change. Undefined for the first change of a match, and for the first change
   * after frames of the match were irrecoverably lost.
   */
  readonly base: number | undefined
  /**
   * Three ISO 8601 times of the newest frame in this change: when the feed observed it, by the feed's clock; when the
   * service received it; and when the service published it.
   */
  readonly observedAt: string
  readonly receivedAt: string
  readonly publishedAt: string
  /**
   * Events that occurred after the previous change (`base`), oldest first. Events of the frames in `missing` are not
   * included. In message format v1 with the option `maxRateMs`, events of skipped frames are not included either.
   */
  readonly events: ReadonlyArray<EventOf<S, G>>
  /** Frames after the previous change (`base`) that were lost and could not be recovered. Almost always empty. */
  readonly missing: ReadonlyArray<Missing>
  /**
   * The complete match after this change. Immutable. In message format v2, parts that did not change are identical by
   * reference to those in the previous change.
   */
  readonly match: MatchOf<S, G>
  /**
   * The server's response to the client's request to resume at a cursor. Set only on the first change after a
   * reconnect, otherwise undefined.
   */
  readonly resumed: Resumed["verdict"] | undefined
  /**
   * Position to pass as the option `resume` of a later stream. Undefined while a stream of all matches is still
   * receiving its initial snapshots; until then, keep the previous cursor.
   */
  readonly cursor: FullCursor | undefined
}

/** A change in the state of the connection, for programs that display or log it. */
export type LiveNotice =
  /** The server has accepted the connection. */
  | { readonly type: "connected"; readonly plan: string; readonly delaySeconds: number; readonly transport: "websocket" | "sse" }
  /** The client has received everything that it had missed. From now on, changes arrive as they happen. */
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
  /**
   * A heartbeat of the server. It contains the newest sequence number and the age of the newest frame, for each match.
   */
  | { readonly type: "heartbeat"; readonly at: string; readonly matches: Heartbeat["matches"] }
  /**
   * The connection was lost, so the client's data is getting stale. The next connection attempt follows after
   * `retryInMs`.
   */
  | { readonly type: "stale"; readonly reason: string; readonly retryInMs: number }

/**
 * Position at which a stream resumes. It consists of the cursor of a change and, if the caller has stored them, of the
 * last change of each match.
 */
export interface ResumePoint<S extends Shape = "v2", G extends string = DefaultGame> {
  readonly cursor: FullCursor
  /**
   * The last change of each match. Not needed in message format v1. In v2, a stream that is given these changes
   * delivers every missed change separately. Otherwise, it delivers all missed events together with the first match
   * document.
   */
  readonly matches?: Iterable<Pick<LiveChange<S, G>, "matchId" | "epoch" | "seq" | "position" | "match">>
}
