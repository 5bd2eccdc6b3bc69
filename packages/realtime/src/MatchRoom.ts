/**
 * The live data of one match: its newest frames, its events so far, and its newest state. Frames arrive in order.
 * Duplicates are ignored, so the same frames may arrive twice. If the frame on which a new frame is based is missing,
 * the new frame is rejected, and the room waits for the next keyframe (a frame with the full state).
 */
import type { LiveContract } from "@matchpoint/contracts/game/LiveContract"
import { ByteBlocks } from "@matchpoint/contracts/stream/ByteBlocks"
import type { MatchId } from "@matchpoint/domain/ids"
import { type Frame, type FrameStore, follows, isAfter, keepsField, link } from "./Frame.ts"
import { FrameRing, type RingBounds } from "./FrameRing.ts"
import { type FrameViews, type GameViews, UnreadableFrame, viewsAfter } from "./FrameViews.ts"
import { MatchEvents } from "./MatchEvents.ts"

/** Size of a block of memory, about eight frames. A room has up to two blocks more than the limits of its ring. */
const BLOCK_BYTES = 8 * 1024

/**
 * Result of an attempt to add a frame to a room. `repeated` means that the room already has the frame. `baseless` means
 * that the frame does not contain the full state and the previous frame is missing.
 */
export type Taken = "taken" | "repeated" | "baseless"

export class MatchRoom<Game extends GameViews = GameViews> implements FrameStore {
  readonly matchId: MatchId
  readonly ring: FrameRing
  /**
   * Memory for the bytes of the frames. Each room has its own, so that a frame that stays in memory for long cannot keep
   * the bytes of other matches.
   */
  readonly memory = new ByteBlocks(BLOCK_BYTES)
  readonly #events = new MatchEvents<Game["row"]>()
  /** The views that were computed last. Frames may have arrived since. */
  #views: FrameViews<Game> | undefined
  /** Undefined if it may have changed since it was read. */
  #status: string | undefined
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

  /**
   * Representations of the newest frame: its full state and messages. They are computed when they are first read after
   * a new frame, from the views that were computed last or from the last keyframe, in at most 32 steps of about 5 us.
   * The changes of a match without readers are therefore never parsed. Throws `UnreadableFrame` if one of them cannot
   * be parsed, until the next keyframe.
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

  /** Full state of the match after the newest frame, in message format v1. */
  get match(): Game["full"] | undefined {
    return this.views?.match
  }

  /**
   * Status of the match: `upcoming`, `live`, `completed` or `cancelled`. Lists read it of all matches, so the state is
   * computed only if the status may have changed since the last read. Undefined if a change cannot be parsed, until the
   * next keyframe.
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

  /** All events of the match that are still in memory, oldest first. */
  get events(): ReadonlyArray<Game["row"]> {
    return this.#events.all
  }

  /**
   * Adds the next frame to the room, unless the frame is a duplicate or the frame on which it is based is missing. Throws
   * `UnreadableFrame`.
   */
  accept(frame: Frame): Taken {
    const last = this.ring.newest
    if (last !== undefined && !isAfter(frame, last)) return "repeated"
    if (!link(frame, last)) return "baseless"
    // If this is the first frame of the match that this server reads, earlier frames may be missing, because the log
    // may hold only the newest ones. If the frame starts a new epoch (a new numbering of the match's frames), nothing
    // is missing before it, because the first frame of an epoch contains the full state.
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
