/**
 * One match on an edge: its newest frames, all events so far, and the newest document. Frames arrive in order. Repeats
 * are ignored, so the same frames may arrive twice. A frame without its base is rejected: the room waits for the next
 * keyframe.
 */
import type { EventRow, LiveContract } from "@matchpoint/contracts/game/LiveContract"
import type { MatchId } from "@matchpoint/domain/ids"
import { type Frame, follows, isAfter, link } from "./Frame.ts"
import { FrameRing, type RingBounds } from "./FrameRing.ts"
import { type GameViews, Views } from "./Views.ts"

/** Maximum number of events per match; a long best-of-five has about 1,500. The oldest are dropped first. */
const MAX_EVENTS = 5_000

/**
 * Result of a frame. `repeated`: the room has it already. `baseless`: it has no document, and the previous frame is
 * missing.
 */
export type Taken = "taken" | "repeated" | "baseless"

export class MatchRoom<Game extends GameViews = GameViews> {
  readonly matchId: MatchId
  readonly ring: FrameRing
  readonly #events: Array<Game["row"]> = []
  #newest: Views<Game> | undefined
  /** Number of frames that the log dropped before this edge read them. */
  missedFrames = 0

  constructor(matchId: MatchId, bounds: RingBounds) {
    this.matchId = matchId
    this.ring = new FrameRing(bounds)
  }

  /** The newest frame. Every room has one after its first record. */
  get newest(): Frame | undefined {
    return this.ring.newest
  }

  /** Contract of the match's game. */
  get game(): LiveContract | undefined {
    return this.newest?.game
  }

  /** Views of the newest frame. */
  get views(): Views<Game> | undefined {
    return this.#newest
  }

  /** Document of the newest frame, in shape v1. */
  get match(): Game["full"] | undefined {
    return this.views?.match
  }

  get isLive(): boolean {
    return this.views?.status === "live"
  }

  /** All events, oldest first. */
  get events(): ReadonlyArray<Game["row"]> {
    return this.#events
  }

  /** Adds the next frame to the room, unless it is a repeat or lacks its base. */
  accept(frame: Frame): Taken {
    const last = this.ring.newest
    if (last !== undefined && !isAfter(frame, last)) return "repeated"
    if (!link(frame, last)) return "baseless"
    const views = Views.of(frame, last !== undefined && follows(frame, last) ? this.#newest : undefined)
    if (views === undefined) return "baseless"
    // If a match is new here, the log may hold only its last frames. A new epoch starts with a whole document, so
    // nothing is missing before it.
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
