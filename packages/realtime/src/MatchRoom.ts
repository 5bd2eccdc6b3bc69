/**
 * What an edge knows of one match: its newest frames, the events so far, and the newest document. Fed in order; drops what it has
 * passed, so that it may be fed twice. A frame without its base is not taken: the room waits for the next keyframe.
 */
import type { EventRow, LiveContract } from "@matchpoint/contracts/game/LiveContract"
import type { MatchId } from "@matchpoint/domain/ids"
import { type Frame, follows, isAfter, link } from "./Frame.ts"
import { FrameRing, type RingBounds } from "./FrameRing.ts"
import { type GameViews, Views } from "./Views.ts"

/** Events kept per match: a long best-of-five has about 1,500. The oldest go first. */
const MAX_EVENTS = 5_000

/** `repeated`: passed already. `baseless`: the frame before is not here, and no document comes with it. */
export type Taken = "taken" | "repeated" | "baseless"

export class MatchRoom<Game extends GameViews = GameViews> {
  readonly matchId: MatchId
  readonly ring: FrameRing
  readonly #events: Array<Game["row"]> = []
  #newest: Views<Game> | undefined
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

  /** The contract of the match's game. */
  get game(): LiveContract | undefined {
    return this.newest?.game
  }

  /** What can be made of the newest frame. */
  get views(): Views<Game> | undefined {
    return this.#newest
  }

  /** The document of the newest frame, in shape v1. */
  get match(): Game["full"] | undefined {
    return this.views?.match
  }

  get isLive(): boolean {
    return this.views?.status === "live"
  }

  /** Everything that happened, oldest first. */
  get events(): ReadonlyArray<Game["row"]> {
    return this.#events
  }

  /** Takes the next frame. */
  accept(frame: Frame): Taken {
    const last = this.ring.newest
    if (last !== undefined && !isAfter(frame, last)) return "repeated"
    if (!link(frame, last)) return "baseless"
    const views = Views.of(frame, last !== undefined && follows(frame, last) ? this.#newest : undefined)
    if (views === undefined) return "baseless"
    // Of a match that is new here the log may have kept the end only. A new epoch begins with a whole document.
    const expected = last === undefined ? 1 : last.epoch === frame.epoch ? last.seq + 1 : frame.seq
    if (frame.seq > expected) {
      frame.missing = { from: expected, to: frame.seq - 1 }
      if (last !== undefined) this.missedFrames += frame.seq - expected
    }
    frame.source = views.source
    this.#newest = views as Views<Game>
    this.#remember(frame, views.event)
    this.ring.push(frame)
    return "taken"
  }

  #remember(frame: Frame, event: EventRow | null): void {
    if (event === null) return
    frame.eventId = event.eventId
    this.#events.push(event)
    if (this.#events.length > MAX_EVENTS) this.#events.splice(0, MAX_EVENTS / 10)
  }
}
