/**
 * Faults that client developers request to test their clients. They depend only on the seed, the match and the cursor:
 * a frame has the same faults on every connection and node, and a resume after it does not repeat them. Pure.
 */
import type { Fault } from "@matchpoint/contracts/stream/messages"
import { type MatchId, matchNumber } from "@matchpoint/domain/ids"
import { childSeed } from "@matchpoint/simulator/random"

/** Faults after a frame has been sent. */
export interface FaultsAfter {
  /** The frame is sent a second time. */
  readonly duplicate: boolean
  /** How long the replay pauses, in milliseconds of match time. */
  readonly stallMs: number
  /** The connection is closed. The client has the frame, so a resumed replay continues after it. */
  readonly drop: boolean
}

/**
 * Frames per block. Each block has one of each requested drop and stall, at a random frame among its last `SPREAD`.
 * Consecutive drops are therefore 51 to 199 frames apart.
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

  /** Pseudo-random, 0 <= x < 1. */
  #draw(kind: keyof typeof streams, epoch: number, n: number): number {
    return childSeed(childSeed(childSeed(this.#seed, streams[kind]), epoch), n) / 0x1_0000_0000
  }
}

/** Each kind of fault has its own generator, so that requesting a further kind does not move the other faults. */
const streams = { drop: 1, duplicate: 2, stall: 3, stallMs: 4 } as const
