/**
 * Faults that client developers can request to test their clients. The faults depend only on seed, match and cursor. A
 * frame therefore has the same faults on every connection and node, and resuming after the frame does not repeat them.
 * Pure functions.
 */
import type { Fault } from "@matchpoint/contracts/stream/messages"
import { type MatchId, matchNumber } from "@matchpoint/domain/ids"
import { childSeed } from "@matchpoint/simulator/random"

/** Faults that follow a sent frame. */
export interface FaultsAfter {
  /** True if the frame is sent a second time. */
  readonly duplicate: boolean
  /** Pause after the frame, in ms of match time. */
  readonly stallMs: number
  /**
   * True if the connection is ended after the frame. The frame itself has been sent, so a resumed replay continues
   * after it.
   */
  readonly drop: boolean
}

/**
 * Number of frames per block. Each block has one drop and one stall, if these faults are requested. Each of them is at
 * a random frame among the last `SPREAD` frames of the block, so two drops are 51 to 199 frames apart.
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
 * Seeds of the random number streams. Each kind of fault has its own stream, so that requesting another kind does not
 * move the existing faults to other frames.
 */
const streams = { drop: 1, duplicate: 2, stall: 3, stallMs: 4 } as const
