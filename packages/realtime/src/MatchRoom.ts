/**
 * What an edge knows of one match: its newest frames, the events so far, the document of the newest frame and the snapshots made of
 * it. Fed in order; drops what it has passed, so that it may be fed twice.
 */
import type { CompactMatch } from "@matchpoint/contracts/stream/compact/CompactMatch"
import { compactOf } from "@matchpoint/contracts/stream/compact/compactOf"
import { stateHash } from "@matchpoint/contracts/stream/compact/stateHash"
import { encodeCompactSnapshot, type LiveFrameHead, readHead, readStatus, snapshotOfUpdate } from "@matchpoint/contracts/stream/frames"
import type { LiveEvent } from "@matchpoint/contracts/stream/LiveEvent"
import type { LiveMatch } from "@matchpoint/contracts/stream/LiveMatch"
import type { MatchId } from "@matchpoint/domain/ids"
import { documentOf, type Frame, isAfter } from "./Frame.ts"
import { FrameRing, type RingBounds } from "./FrameRing.ts"

/** Events kept per match: a long best-of-five has about 1,500. The oldest go first. */
const MAX_EVENTS = 5_000

export class MatchRoom {
  readonly matchId: MatchId
  readonly ring: FrameRing
  readonly #events: Array<LiveEvent> = []
  #newest: Views | undefined
  /** Frames that never came: records the log dropped before this edge had read them. */
  missedFrames = 0

  constructor(matchId: MatchId, bounds: RingBounds) {
    this.matchId = matchId
    this.ring = new FrameRing(bounds)
  }

  /** The newest frame; every room has one from its first record on. */
  get newest(): Frame | undefined {
    return this.ring.newest
  }

  /** What can be made of the newest frame; each part is made when first asked for. */
  get views(): Views | undefined {
    return this.#newest
  }

  /** The document of the newest frame. */
  get match(): LiveMatch | undefined {
    return this.views?.match
  }

  get isLive(): boolean {
    return this.views?.status === "live"
  }

  /** Everything that happened, oldest first. */
  get events(): ReadonlyArray<LiveEvent> {
    return this.#events
  }

  /** Takes the next frame. False: it was passed already. */
  accept(frame: Frame): boolean {
    const last = this.ring.newest
    if (last !== undefined && !isAfter(frame, last)) return false
    // Of a match that is new here the log may have kept the end only. A new epoch begins with a whole document.
    const expected = last === undefined ? 1 : last.epoch === frame.epoch ? last.seq + 1 : frame.seq
    if (frame.seq > expected) {
      frame.missing = { from: expected, to: frame.seq - 1 }
      if (last !== undefined) this.missedFrames += frame.seq - expected
    }
    this.ring.push(frame)
    this.#newest = new Views(frame, readHead(frame.update))
    const { event } = this.#newest.head
    if (event !== null) {
      this.#events.push(event)
      if (this.#events.length > MAX_EVENTS) this.#events.splice(0, MAX_EVENTS / 10)
    }
    return true
  }
}

/** The faces of one frame. */
export class Views {
  readonly frame: Frame
  #head: LiveFrameHead | undefined
  #match: LiveMatch | undefined
  #compact: CompactMatch | undefined
  #snapshot: Uint8Array | undefined
  #compactSnapshot: Uint8Array | undefined

  constructor(frame: Frame, head?: LiveFrameHead) {
    this.frame = frame
    this.#head = head
  }

  /** Read from the bytes, without parsing the document. */
  get status(): string {
    return this.#match?.status ?? readStatus(this.frame.update)
  }

  get head(): LiveFrameHead {
    this.#head ??= readHead(this.frame.update)
    return this.#head
  }

  get match(): LiveMatch {
    this.#match ??= documentOf(this.frame)
    return this.#match
  }

  get compact(): CompactMatch {
    this.#compact ??= compactOf(this.match)
    return this.#compact
  }

  /** The snapshot message of a shape. */
  snapshot(shape: "v1" | "v2"): Uint8Array {
    if (shape === "v1") {
      this.#snapshot ??= snapshotOfUpdate(this.frame.update)
      return this.#snapshot
    }
    if (this.#compactSnapshot === undefined) {
      const { event: _, ...head } = this.head
      this.#compactSnapshot = encodeCompactSnapshot({ ...head, hash: stateHash(this.compact), data: this.compact })
    }
    return this.#compactSnapshot
  }
}
