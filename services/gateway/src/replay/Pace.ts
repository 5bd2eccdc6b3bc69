/**
 * Computes when the next frame of a replay is due. The intervals between the original frames are divided by the replay
 * speed, and long intervals are shortened. This class only calculates: the caller passes the current time and sleeps.
 */

/**
 * Maximum interval between two frames, in milliseconds of match time. Longer intervals, such as the minutes between two
 * maps, are shortened to it.
 */
export const LONGEST_GAP_MS = 5_000

/**
 * Maximum delay that a late replay makes up by sending faster, in milliseconds. If a replay is later than this, its
 * remaining schedule is postponed.
 */
const LARGEST_DEBT_MS = 1_000

export class Pace {
  readonly #speed: number
  /** Original time of the previous frame in the match, in epoch milliseconds. */
  #last: number | undefined
  /** Time at which the previous frame was due in the replay, in milliseconds of the clock of the caller. */
  #due: number

  /** With `speed` 0, all frames are due immediately. */
  constructor(speed: number, now: number) {
    this.#speed = speed
    this.#due = now
  }

  /**
   * Returns how long to wait from `now` until a frame is due, in milliseconds. `time` is the original time of the
   * frame. Must be called once per frame, in order.
   */
  waitFor(time: number, now: number): number {
    if (this.#speed === 0) return 0
    const gap = this.#last === undefined ? 0 : Math.min(Math.max(time - this.#last, 0), LONGEST_GAP_MS)
    this.#last = time
    this.#due = Math.max(this.#due + gap / this.#speed, now - LARGEST_DEBT_MS)
    return Math.max(0, this.#due - now)
  }

  /** Postpones all following frames by `ms`, given in milliseconds of match time. Has no effect at speed 0. */
  stall(ms: number): void {
    if (this.#speed > 0) this.#due += ms / this.#speed
  }
}
