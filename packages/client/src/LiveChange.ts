/** Items of a live stream: changes, each with the complete match after it, and notices about the connection. */
import type { JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import type { FullCursor } from "@matchpoint/contracts/stream/cursorText"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import type { Heartbeat, MissingRange, Resumed } from "@matchpoint/contracts/stream/messages"
import type { MatchId } from "@matchpoint/domain/ids"
import type { DefaultGame, KnownGames } from "./games.ts"

type DocumentsOf<S extends Shape, G extends string> = G extends keyof KnownGames
  ? KnownGames[G][S]
  : { readonly match: JsonObject; readonly event: JsonObject }

/** A generic JSON object if this client has no types for the game. */
export type MatchOf<S extends Shape, G extends string = DefaultGame> = DocumentsOf<S, G>["match"]
export type EventOf<S extends Shape, G extends string = DefaultGame> = DocumentsOf<S, G>["event"]

/** Missing frames of one match, by sequence number, both ends included. */
export interface Missing {
  readonly from: number
  readonly to: number
}

export interface LiveChange<S extends Shape = "v2", G extends string = DefaultGame> {
  readonly matchId: MatchId
  /**
   * `(epoch, seq)` identifies the state after this change. Within an epoch, `seq` always increases, and none is
   * delivered twice.
   */
  readonly epoch: number
  readonly seq: number
  readonly position: number
  /**
   * `seq` of the previous change. Undefined for the first change of a match, and after frames of it were irrecoverably
   * lost.
   */
  readonly base: number | undefined
  /**
   * ISO 8601 times of the newest frame in this change: when the feed observed it, by the feed's clock; when the service
   * received it; and when the service published it.
   */
  readonly observedAt: string
  readonly receivedAt: string
  readonly publishedAt: string
  /**
   * Events after the previous change (`base`), oldest first. Excludes those of the frames in `missing` and, in message
   * format v1 with the option `maxRateMs`, those of skipped frames.
   */
  readonly events: ReadonlyArray<EventOf<S, G>>
  /** Frames after the previous change (`base`) that were irrecoverably lost. Almost always empty. */
  readonly missing: ReadonlyArray<Missing>
  /**
   * The complete match after this change. Immutable. In message format v2, unchanged parts are identical by reference
   * to those in the previous change.
   */
  readonly match: MatchOf<S, G>
  /** The server's answer to the request to resume at a cursor. Set only on the first change after a reconnect. */
  readonly resumed: Resumed["verdict"] | undefined
  /**
   * Position for the option `resume` of a later stream. Undefined while a stream of all matches receives its initial
   * snapshots; until then, keep the previous cursor.
   */
  readonly cursor: FullCursor | undefined
}

/** A change of the connection, for programs that display or log it. */
export type LiveNotice =
  | { readonly type: "connected"; readonly plan: string; readonly delaySeconds: number; readonly transport: "websocket" | "sse" }
  /** The client has received everything that it missed. From now on, changes arrive as they happen. */
  | { readonly type: "live" }
  | { readonly type: "resumed"; readonly verdict: Resumed["verdict"]; readonly missing: ReadonlyArray<MissingRange> }
  /**
   * Some frames will not arrive. `slow`: the client read too slowly. `log`: the server no longer has the frames.
   * `hole`: the client detected the gap.
   */
  | { readonly type: "gap"; readonly reason: "slow" | "log" | "hole"; readonly missing: ReadonlyArray<MissingRange> }
  /**
   * The client's copy of a match was wrong or incomplete and is requested again. The wrong document was not delivered.
   */
  | { readonly type: "healing"; readonly matchId: MatchId; readonly reason: "hash" | "hole" | "behind" }
  /** Newest sequence number and its age, for each match on the server. */
  | { readonly type: "heartbeat"; readonly at: string; readonly matches: Heartbeat["matches"] }
  /** The connection was lost, so the data is getting stale. The next attempt follows after `retryInMs`. */
  | { readonly type: "stale"; readonly reason: string; readonly retryInMs: number }

/** Position at which a stream resumes: the cursor of a change and, if the caller has stored them, the last changes. */
export interface ResumePoint<S extends Shape = "v2", G extends string = DefaultGame> {
  readonly cursor: FullCursor
  /**
   * The last change of each match. Not needed in message format v1. In v2, with it, the stream delivers every missed
   * change separately; without it, all missed events together with the first document.
   */
  readonly matches?: Iterable<Pick<LiveChange<S, G>, "matchId" | "epoch" | "seq" | "position" | "match">>
}
