/**
 * What an edge knows of one match: its newest frames, the events so far, the document of the newest frame. Fed with the records
 * of LIVE in order; drops what it has passed, so that it may be fed twice.
 */
import { readHead } from "@matchpoint/contracts/stream/frames"
import type { LiveEvent } from "@matchpoint/contracts/stream/LiveEvent"
import type { LiveMatch } from "@matchpoint/contracts/stream/LiveMatch"
import type { MatchId } from "@matchpoint/domain/ids"
import { documentOf } from "./document.ts"
import { type Frame, FrameRing, type RingBounds } from "./FrameRing.ts"

/** Events kept per match: a long best-of-five has about 1,500. The oldest go first. */
const MAX_EVENTS = 5_000

export class MatchRoom {
  readonly matchId: MatchId
  readonly ring: FrameRing
  readonly #events: Array<LiveEvent> = []
  #document: { readonly frame: Frame; readonly match: LiveMatch } | undefined
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

  /** The document of the newest frame, parsed when first asked for. */
  get match(): LiveMatch | undefined {
    const frame = this.ring.newest
    if (frame === undefined) return undefined
    if (this.#document?.frame !== frame) this.#document = { frame, match: documentOf(frame) }
    return this.#document.match
  }

  /** Everything that happened, oldest first. */
  get events(): ReadonlyArray<LiveEvent> {
    return this.#events
  }

  /** Takes the next frame. False: it was passed already. */
  accept(frame: Frame): boolean {
    const last = this.ring.newest
    if (last !== undefined) {
      if (frame.epoch < last.epoch || (frame.epoch === last.epoch && frame.seq <= last.seq)) return false
      if (frame.epoch === last.epoch) this.missedFrames += frame.seq - last.seq - 1
    }
    this.ring.push(frame)
    const event = readHead(frame.bytes).event
    if (event !== null) {
      this.#events.push(event)
      if (this.#events.length > MAX_EVENTS) this.#events.splice(0, MAX_EVENTS / 10)
    }
    return true
  }
}
