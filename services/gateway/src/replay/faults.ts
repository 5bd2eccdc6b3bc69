/**
 * Selects the faults that client developers can request to test their clients. Whether a frame has a fault depends only
 * on the seed, the match and the cursor. A frame therefore has the same faults on every connection and node, and a
 * resume after the frame does not repeat them. The functions have no side effects.
 */
import type { Fault } from "@matchpoint/contracts/stream/messages"
import { type MatchId, matchNumber } from "@matchpoint/domain/ids"
import { childSeed } from "@matchpoint/simulator/random"

/** The faults to apply after a frame has been sent. */
export interface FaultsAfter {
  /** True if the frame is sent a second time. */
  readonly duplicate: boolean
  /** How long the replay pauses after the frame, in milliseconds of match time. */
  readonly stallMs: number
  /**
   * True if the connection is closed after the frame. The client has received the frame, so a resumed replay continues
   * after it.
   */
  readonly drop: boolean
}

/**
 * Number of frames per block. If drops or stalls (test faults) are requested, each block has one of each requested
 * kind, at a random frame among the last `SPREAD` frames of the block. Consecutive drops are therefore 51 to 199 frames
 * apart.
 */
const BLOCK = 125
const SPREAD = 75
const DUPLICATE_SHARE = 0.04
const MIN_STALL_MS = 500
const MAX_STALL_MS = 5_000

const none: FaultsAfter = { duplicate: false, stallMs: 0, drop: false }

export class Faults {
  readonly #kinds: ReadonlySet<Fault>
  readonly #seed: number

  constructor(matchId: MatchId, options: { readonly faults?: ReadonlyArray<Fault>; readonly seed?: number }) {
    this.#kinds = new Set(options.faults)
    this.#seed = childSeed(options.seed ?? 1, matchNumber(matchId))
  }

  after({ epoch, seq }: { readonly epoch: number; readonly seq: number }): FaultsAfter {
    if (this.#kinds.size === 0) return none
    const block = Math.floor((seq - 1) / BLOCK)
    return {
      duplicate: this.#kinds.has("duplicate") && this.#draw("duplicate", epoch, seq) < DUPLICATE_SHARE,
      stallMs:
        this.#kinds.has("stall") && this.#isPointOf(block, "stall", epoch, seq)
          ? MIN_STALL_MS + Math.round(this.#draw("stallMs", epoch, block) * (MAX_STALL_MS - MIN_STALL_MS))
          : 0,
      drop: this.#kinds.has("drop") && this.#isPointOf(block, "drop", epoch, seq),
    }
  }

  #isPointOf(block: number, kind: "drop" | "stall", epoch: number, seq: number): boolean {
    return seq === block * BLOCK + (BLOCK - SPREAD) + 1 + Math.floor(this.#draw(kind, epoch, block) * SPREAD)
  }

  /** Returns a pseudo-random number x, 0 <= x < 1. */
  #draw(kind: keyof typeof streams, epoch: number, n: number): number {
    return childSeed(childSeed(childSeed(this.#seed, streams[kind]), epoch), n) / 0x1_0000_0000
  }
}

/**
 * Seeds of the random number generators. Each kind of fault has its own generator, so that requesting a further kind
 * does not move the other faults to different frames.
 */
const streams = { drop: 1, duplicate: 2, stall: 3, stallMs: 4 } as const
