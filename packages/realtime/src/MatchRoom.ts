/**
 * The live data of one match: its newest frames, its events so far, and its newest state. Frames arrive in order.
 * Duplicates are ignored, so the same frames may arrive twice. If the frame on which a new frame is based is missing,
 * the new frame is rejected, and the room waits for the next keyframe (a frame with the full state).
 */
import type { EventRow, LiveContract } from "@matchpoint/contracts/game/LiveContract"
import type { MatchId } from "@matchpoint/domain/ids"
import { type Frame, follows, isAfter, link } from "./Frame.ts"
import { FrameRing, type RingBounds } from "./FrameRing.ts"
import { FrameViews, type GameViews } from "./FrameViews.ts"

/**
 * Maximum number of events per match; a long best-of-five match has about 1,500. The oldest events are dropped first.
 */
const MAX_EVENTS = 5_000

/**
 * Result of an attempt to add a frame to a room. `repeated` means that the room already has the frame. `baseless` means
 * that the frame does not contain the full state and the previous frame is missing.
 */
export type Taken = "taken" | "repeated" | "baseless"

export class MatchRoom<Game extends GameViews = GameViews> {
  readonly matchId: MatchId
  readonly ring: FrameRing
  readonly #events: Array<Game["row"]> = []
  #newest: FrameViews<Game> | undefined
  /** Number of frames that the log dropped before this server read them. */
  missedFrames = 0

  constructor(matchId: MatchId, bounds: RingBounds) {
    this.matchId = matchId
    this.ring = new FrameRing(bounds)
  }

  /** The newest frame; undefined only if the room has not accepted any record. */
  get newest(): Frame | undefined {
    return this.ring.newest
  }

  /** The message formats of the game that is played in the match. */
  get game(): LiveContract | undefined {
    return this.newest?.game
  }

  /** Representations of the newest frame: its full state and messages. */
  get views(): FrameViews<Game> | undefined {
    return this.#newest
  }

  /** Full state of the match after the newest frame, in message format v1. */
  get match(): Game["full"] | undefined {
    return this.views?.match
  }

  get isLive(): boolean {
    return this.views?.status === "live"
  }

  /** All events of the match that are still in memory, oldest first. */
  get events(): ReadonlyArray<Game["row"]> {
    return this.#events
  }

  /** Adds the next frame to the room, unless the frame is a duplicate or the frame on which it is based is missing. */
  accept(frame: Frame): Taken {
    const last = this.ring.newest
    if (last !== undefined && !isAfter(frame, last)) return "repeated"
    if (!link(frame, last)) return "baseless"
    const views = FrameViews.of(frame, last !== undefined && follows(frame, last) ? this.#newest : undefined)
    if (views === undefined) return "baseless"
    // If this is the first frame of the match that this server reads, earlier frames may be missing, because the log
    // may hold only the newest ones. If the frame starts a new epoch (a new numbering of the match's frames), nothing
    // is missing before it, because the first frame of an epoch contains the full state.
    const expected = last === undefined ? 1 : last.epoch === frame.epoch ? last.seq + 1 : frame.seq
    if (frame.seq > expected) {
      frame.missing = { from: expected, to: frame.seq - 1 }
      if (last !== undefined) this.missedFrames += frame.seq - expected
    }
    frame.source = views.source
    this.#newest = views as FrameViews<Game>
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
