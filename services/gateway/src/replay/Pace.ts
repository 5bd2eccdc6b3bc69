/**
 * Computes when the next frame of a replay is due: the match's gaps divided by the speed, with long gaps shortened.
 * Pure arithmetic on the given times. It does not sleep or read a clock.
 */

/** Longest gap between frames, in ms of match time. Between two maps, nothing happens for minutes. */
export const LONGEST_GAP_MS = 5_000

/** Delay that a replay catches up by sending faster, ms. Any delay beyond that moves the whole schedule. */
const LARGEST_DEBT_MS = 1_000

export class Pace {
  readonly #speed: number
  /** Time of the previous frame in the match, epoch ms. */
  #last: number | undefined
  /** Time at which the previous frame was due, epoch ms. */
  #due: number

  /** With `speed` 0, all frames are due immediately. */
  constructor(speed: number, now: number) {
    this.#speed = speed
    this.#due = now
  }

  /** Returns the wait from `now` until the frame of this time is due, ms. Must be called once per frame, in order. */
  waitFor(time: number, now: number): number {
    if (this.#speed === 0) return 0
    const gap = this.#last === undefined ? 0 : Math.min(Math.max(time - this.#last, 0), LONGEST_GAP_MS)
    this.#last = time
    this.#due = Math.max(this.#due + gap / this.#speed, now - LARGEST_DEBT_MS)
    return Math.max(0, this.#due - now)
  }

  /** Delays all following frames by a duration in ms of match time. Has no effect at speed 0. */
  stall(ms: number): void {
    if (this.#speed > 0) this.#due += ms / this.#speed
  }
}
