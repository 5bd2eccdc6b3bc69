/**
 * The frames of a conflated channel: once per step, the newest frame of each match, with all events since the previous
 * step. A v2 follower gets one delta across all frames that were left out, so that the hash still matches.
 */
import { diff, type JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import { stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import { encodeDelta } from "@matchpoint/contracts/stream/wire"
import type { MatchId } from "@matchpoint/domain/ids"
import { isAfter } from "./Frame.ts"
import type { Views } from "./Views.ts"

export interface Cursor {
  readonly epoch: number
  readonly seq: number
}

interface Range {
  readonly from: number
  readonly to: number
}

interface Track {
  /** Views that every follower has; undefined before the first step. */
  sent: Views | undefined
  newest: Views
  events: Array<JsonObject>
  /** Range of frames since `sent` that the log did not have. */
  missing: Range | undefined
}

export interface Conflated {
  readonly views: Views
  /** Delta in shape v2. If undefined, the whole document is sent. */
  readonly delta?: Uint8Array
  /** Range of missing frames, announced before this change. */
  readonly missing?: Range
}

export class Conflation {
  readonly #shape: Shape
  readonly #tracks = new Map<MatchId, Track>()

  constructor(shape: Shape) {
    this.#shape = shape
  }

  offer(views: Views): void {
    const { frame } = views
    const track = this.#tracks.get(frame.matchId)
    if (track === undefined) this.#tracks.set(frame.matchId, { sent: undefined, newest: views, events: [], missing: undefined })
    else track.newest = views
    // Followers of shape v1 always get the whole document, so missing frames and events need no tracking.
    if (this.#shape === "v1" || track === undefined) return
    if (frame.missing !== undefined) track.missing = { from: track.missing?.from ?? frame.missing.from, to: frame.missing.to }
    track.events.push(...views.events)
  }

  /**
   * Returns the views that the followers of a match have; a new follower must start with them. A match without
   * followers so far is added with `views`.
   * Returns undefined if nothing of the match was sent yet. The new follower then gets it in the next step, like the
   * others.
   */
  begin(views: Views): Views | undefined {
    const track = this.#tracks.get(views.frame.matchId)
    if (track !== undefined) return track.sent
    this.#tracks.set(views.frame.matchId, { sent: views, newest: views, events: [], missing: undefined })
    return views
  }

  /** Returns the views that followers have of each match in which a client with these cursors is behind. */
  behind(cursors: ReadonlyMap<MatchId, Cursor>): ReadonlyArray<Views> {
    return [...this.#tracks.values()].flatMap(({ sent }) => {
      if (sent === undefined) return []
      const cursor = cursors.get(sent.frame.matchId)
      return cursor === undefined || isAfter(sent.frame, cursor) ? [sent] : []
    })
  }

  forget(matchId: MatchId): void {
    this.#tracks.delete(matchId)
  }

  clear(): void {
    this.#tracks.clear()
  }

  /** Ends a step and returns the changes to send, in the order of the log. */
  step(): ReadonlyArray<Conflated> {
    const changed: Array<Conflated> = []
    for (const track of this.#tracks.values()) {
      if (track.sent?.frame === track.newest.frame) continue
      changed.push(this.#conflate(track))
      track.sent = track.newest
      track.events = []
      track.missing = undefined
    }
    return changed.sort((a, b) => a.views.frame.position - b.views.frame.position)
  }

  #conflate({ events, missing, newest, sent }: Track): Conflated {
    const { frame } = newest
    if (this.#shape === "v1" || sent === undefined || sent.frame.epoch !== frame.epoch) return { views: newest }
    // A snapshot has no events, so the events since the last step are lost, like the missing frames.
    if (missing !== undefined) return { views: newest, missing: { from: sent.frame.seq + 1, to: frame.seq } }
    const patch = diff(sent.compact, newest.compact) ?? {}
    const hash = stateHash(newest.compact)
    return { views: newest, delta: encodeDelta(frame.game.game, newest.head, { base: sent.frame.seq, events, patch, hash }) }
  }
}
