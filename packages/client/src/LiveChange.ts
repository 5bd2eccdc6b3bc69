/**
 * Items that a follower delivers: changes, each with the whole match after it, and notices about the connection between
 * them. Types only.
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

/** The document of a match. A JSON object if this client has no types for the game. */
export type MatchOf<S extends Shape, G extends string = DefaultGame> = DocumentsOf<S, G>["match"]
export type EventOf<S extends Shape, G extends string = DefaultGame> = DocumentsOf<S, G>["event"]

/** A range of seqs, both ends included. */
export interface Missing {
  readonly from: number
  readonly to: number
}

export interface LiveChange<S extends Shape = "v2", G extends string = DefaultGame> {
  readonly matchId: MatchId
  /** `(epoch, seq)` is the state of the match after this change. Within an epoch, `seq` only rises, and no `seq` is delivered twice. */
  readonly epoch: number
  readonly seq: number
  readonly position: number
  /** Seq of the previous change. Undefined on the first change of a match, and after history was lost. */
  readonly base: number | undefined
  /** ISO 8601 times of the newest frame in this change: by the feed's clock, on receipt by the service, and when it was published. */
  readonly observedAt: string
  readonly receivedAt: string
  readonly publishedAt: string
  /** Events after `base`, oldest first. Complete, except for frames in `missing`, and for shape v1 with `maxRateMs`. */
  readonly events: ReadonlyArray<EventOf<S, G>>
  /** Frames after `base` that could not be recovered. Almost always empty. */
  readonly missing: ReadonlyArray<Missing>
  /** The whole match. Immutable. In v2, unchanged parts are the same objects as in the previous change. */
  readonly match: MatchOf<S, G>
  /** On the first change after a reconnect: how the server answered the cursor. */
  readonly resumed: Resumed["verdict"] | undefined
  /** Where to resume later (`resume`). Undefined while the snapshots of `all` are being sent: keep the previous one. */
  readonly cursor: FullCursor | undefined
}

/** State of the connection: for programs that show or record it. */
export type LiveNotice =
  /** The server has accepted the connection. */
  | { readonly type: "connected"; readonly plan: string; readonly delaySeconds: number; readonly transport: "websocket" | "sse" }
  /** The follower has caught up: from here on, changes arrive as they are made. */
  | { readonly type: "live" }
  | { readonly type: "resumed"; readonly verdict: Resumed["verdict"]; readonly missing: ReadonlyArray<MissingRange> }
  /** Frames that will not arrive. `slow`: the reader was too slow. `log`: the server has lost them. `hole`: detected by the client. */
  | { readonly type: "gap"; readonly reason: "slow" | "log" | "hole"; readonly missing: ReadonlyArray<MissingRange> }
  /** The document did not match the server's and is requested again. The wrong document was not delivered. */
  | { readonly type: "healing"; readonly matchId: MatchId; readonly reason: "hash" | "hole" | "behind" }
  /** How far the server is in each match, and the age of its newest frame. */
  | { readonly type: "heartbeat"; readonly at: string; readonly matches: Heartbeat["matches"] }
  /** The connection was lost, so the data is getting old. The next attempt follows after `retryInMs`. */
  | { readonly type: "stale"; readonly reason: string; readonly retryInMs: number }

/** Where to resume: the cursor of a change, and the last change of each match, if kept. */
export interface ResumePoint<S extends Shape = "v2", G extends string = DefaultGame> {
  readonly cursor: FullCursor
  /**
   * With them, a v2 follower gets every missed change. Without them, it gets the missed events together with the first document. v1 needs
   * none.
   */
  readonly matches?: Iterable<Pick<LiveChange<S, G>, "matchId" | "epoch" | "seq" | "position" | "match">>
}
