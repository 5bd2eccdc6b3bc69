/**
 * The frames of a conflated channel: of each match the newest once per step, with everything named that happened since the last one.
 * A v2 follower gets one delta over all the frames it did not get, so that the hash still fits.
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
  /** What every follower has; undefined before the first. */
  sent: Views | undefined
  newest: Views
  events: Array<JsonObject>
  /** Frames since `sent` that the log did not have. */
  missing: Range | undefined
}

export interface Conflated {
  readonly views: Views
  /** Of shape v2. Undefined: the document as a whole. */
  readonly delta?: Uint8Array
  /** To be announced before. */
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
    // Who follows v1 conflated skips frames anyway, and always gets the whole document.
    if (this.#shape === "v1" || track === undefined) return
    if (frame.missing !== undefined) track.missing = { from: track.missing?.from ?? frame.missing.from, to: frame.missing.to }
    track.events.push(...views.events)
  }

  /**
   * Where followers of a match are; one who joins must begin there. From then on the match is theirs to be told about. Undefined: they
   * have not been told of it yet, and whoever joins will be with them, in the next step.
   */
  begin(views: Views): Views | undefined {
    const track = this.#tracks.get(views.frame.matchId)
    if (track !== undefined) return track.sent
    this.#tracks.set(views.frame.matchId, { sent: views, newest: views, events: [], missing: undefined })
    return views
  }

  /** Where followers of every match are that somebody at these cursors is behind of. */
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

  /** What the step brings, in the order of the log. */
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
    // The snapshot tells no events: those since the last step are as lost as the ones in the hole.
    if (missing !== undefined) return { views: newest, missing: { from: sent.frame.seq + 1, to: frame.seq } }
    const patch = diff(sent.compact, newest.compact) ?? {}
    const hash = stateHash(newest.compact)
    return { views: newest, delta: encodeDelta(frame.game.game, newest.head, { base: sent.frame.seq, events, patch, hash }) }
  }
}
