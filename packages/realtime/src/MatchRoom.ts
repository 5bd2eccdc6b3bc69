/**
 * The live data of one match: its newest frames, events and state. Frames arrive in order; duplicates are ignored. A
 * frame whose base is missing is rejected, and the room waits for the next keyframe (a frame with the full state).
 */
import type { LiveContract } from "@matchpoint/contracts/game/LiveContract"
import { ByteBlocks } from "@matchpoint/contracts/stream/ByteBlocks"
import type { MatchId } from "@matchpoint/domain/ids"
import { type Frame, type FrameStore, follows, isAfter, keepsField, link } from "./Frame.ts"
import { FrameRing, type RingBounds } from "./FrameRing.ts"
import { type FrameViews, type GameViews, UnreadableFrame, viewsAfter } from "./FrameViews.ts"
import { MatchEvents } from "./MatchEvents.ts"

/** About eight frames. A room has up to two blocks more than the limits of its ring. */
const BLOCK_BYTES = 8 * 1024

/** `repeated`: the room has the frame. `baseless`: the frame lacks the full state and the previous frame is missing. */
export type Taken = "taken" | "repeated" | "baseless"

export class MatchRoom<Game extends GameViews = GameViews> implements FrameStore {
  readonly matchId: MatchId
  readonly ring: FrameRing
  /** One per room, so that a frame that stays in memory for long cannot keep the bytes of other matches. */
  readonly memory = new ByteBlocks(BLOCK_BYTES)
  readonly #events = new MatchEvents<Game["row"]>()
  /** Frames may have arrived since these were computed. */
  #views: FrameViews<Game> | undefined
  /** Undefined if it may have changed since it was read. */
  #status: string | undefined
  /** Frames that the log dropped before this server read them. */
  missedFrames = 0

  constructor(matchId: MatchId, bounds: RingBounds) {
    this.matchId = matchId
    this.ring = new FrameRing(bounds)
  }

  /** Undefined until the room has accepted a frame. */
  get newest(): Frame | undefined {
    return this.ring.newest
  }

  get game(): LiveContract | undefined {
    return this.newest?.game
  }

  /**
   * Views of the newest frame. Computed when they are first read after a new frame, in at most 32 steps of about 5 us,
   * so the changes of a match without readers are never parsed. Throws `UnreadableFrame` if one cannot be parsed, until
   * the next keyframe.
   */
  get views(): FrameViews<Game> | undefined {
    const { newest } = this
    if (newest === undefined || this.#views?.frame === newest) return this.#views
    const known = this.#views
    const steps = [newest]
    let isNext = known !== undefined && follows(newest, known.frame)
    for (let at = newest.before; at !== undefined && !isNext; at = at.before) {
      steps.push(at)
      isNext = known !== undefined && follows(at, known.frame)
    }
    this.#views = viewsAfter(steps.reverse(), isNext ? known : undefined) as FrameViews<Game>
    return this.#views
  }

  /** After the newest frame, in message format v1. */
  get match(): Game["full"] | undefined {
    return this.views?.match
  }

  /**
   * `upcoming`, `live`, `completed` or `cancelled`. Lists read it of all matches, so the state is computed only if the
   * status may have changed. Undefined if a change cannot be parsed, until the next keyframe.
   */
  get status(): string | undefined {
    try {
      this.#status ??= this.views?.status
    } catch (error) {
      // A damaged record of one match must not break the lists of all.
      if (!(error instanceof UnreadableFrame)) throw error
    }
    return this.#status
  }

  get isLive(): boolean {
    return this.status === "live"
  }

  /** Those still in memory, oldest first. */
  get events(): ReadonlyArray<Game["row"]> {
    return this.#events.all
  }

  /** Throws `UnreadableFrame`. */
  accept(frame: Frame): Taken {
    const last = this.ring.newest
    if (last !== undefined && !isAfter(frame, last)) return "repeated"
    if (!link(frame, last)) return "baseless"
    // Before the first frame that this server reads, others may be missing: the log may hold only the newest ones.
    // Nothing is missing before a new epoch (a new numbering), whose first frame contains the full state.
    const expected = last === undefined ? 1 : last.epoch === frame.epoch ? last.seq + 1 : frame.seq
    if (frame.seq > expected) {
      frame.missing = { from: expected, to: frame.seq - 1 }
      if (last !== undefined) this.missedFrames += frame.seq - expected
    }
    if (last === undefined || !follows(frame, last) || !keepsField(frame, "status")) this.#status = undefined
    this.#events.addOf(frame)
    this.ring.push(frame)
    return "taken"
  }
}
