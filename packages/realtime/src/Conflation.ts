/**
 * Combines (conflates) the frames of a channel. At the end of each interval, the channel gets the newest frame of each
 * changed match, with all events of the interval. In message format v2, one delta replaces those of all skipped frames,
 * so that the client's state still agrees with the hash in the message.
 */
import { diff, type JsonObject } from "@matchpoint/contracts/stream/compact/mergePatch"
import { stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import { encodeDelta } from "@matchpoint/contracts/stream/wire"
import type { MatchId } from "@matchpoint/domain/ids"
import { isAfter } from "./Frame.ts"
import type { FrameViews } from "./FrameViews.ts"

export interface Cursor {
  readonly epoch: number
  readonly seq: number
}

interface Range {
  readonly from: number
  readonly to: number
}

interface Track {
  /** State that all clients of the channel have; undefined during the first interval. */
  sent: FrameViews | undefined
  newest: FrameViews
  events: Array<JsonObject>
  /** Range of frames after `sent` that the log does not have. */
  missing: Range | undefined
}

export interface Conflated {
  readonly views: FrameViews
  /** In message format v2. If it is undefined, the full state is sent instead. */
  readonly delta?: Uint8Array
  /** Must be announced before this change is sent. */
  readonly missing?: Range
}

export class Conflation {
  readonly #shape: Shape
  readonly #tracks = new Map<MatchId, Track>()

  constructor(shape: Shape) {
    this.#shape = shape
  }

  offer(views: FrameViews): void {
    const { frame } = views
    const track = this.#tracks.get(frame.matchId)
    if (track === undefined) this.#tracks.set(frame.matchId, { sent: undefined, newest: views, events: [], missing: undefined })
    else track.newest = views
    // In message format v1, the full state is always sent: missing frames and events need not be tracked.
    if (this.#shape === "v1" || track === undefined) return
    if (frame.missing !== undefined) track.missing = { from: track.missing?.from ?? frame.missing.from, to: frame.missing.to }
    for (const event of views.events) track.events.push(event)
  }

  /**
   * Returns the state with which a new client of the channel must start: the one that all other clients have. Starts
   * tracking an unknown match with `views`. Returns undefined if nothing about the match has been sent yet; the new
   * client then gets it at the end of the interval, like the others.
   */
  begin(views: FrameViews): FrameViews | undefined {
    const track = this.#tracks.get(views.frame.matchId)
    if (track !== undefined) return track.sent
    this.#tracks.set(views.frame.matchId, { sent: views, newest: views, events: [], missing: undefined })
    return views
  }

  /**
   * Returns, for each match in which a client with these cursors is behind the others, the state that the others have.
   */
  behind(cursors: ReadonlyMap<MatchId, Cursor>): ReadonlyArray<FrameViews> {
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

  /** Ends an interval. Returns the changes to send, in the order of their log positions. */
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
    // A snapshot contains no events, so the frames since the previous interval are also reported as missing.
    if (missing !== undefined) return { views: newest, missing: { from: sent.frame.seq + 1, to: frame.seq } }
    const patch = diff(sent.compact, newest.compact) ?? {}
    const hash = stateHash(newest.compact)
    return { views: newest, delta: encodeDelta(frame.game.game, newest.head, { base: sent.frame.seq, events, patch, hash }) }
  }
}
