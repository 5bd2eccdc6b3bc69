/**
 * When the next frame of a replay is due: the original intervals divided by the replay speed, long ones shortened. Pure
 * calculation; the caller passes the time and sleeps.
 */

/** Milliseconds of match time. Longer intervals, such as the minutes between two maps, are shortened to it. */
export const LONGEST_GAP_MS = 5_000

/** Milliseconds that a late replay makes up by sending faster. If it is later, its remaining schedule is postponed. */
const LARGEST_DEBT_MS = 1_000

export class Pace {
  readonly #speed: number
  /** Original time of the previous frame, in epoch milliseconds. */
  #last: number | undefined
  /** When the previous frame was due, in milliseconds of the caller's clock. */
  #due: number

  /** With `speed` 0, all frames are due immediately. */
  constructor(speed: number, now: number) {
    this.#speed = speed
    this.#due = now
  }

  /**
   * Milliseconds from `now` until a frame is due. `time` is the original time of the frame. Must be called once per
   * frame, in order.
   */
  waitFor(time: number, now: number): number {
    if (this.#speed === 0) return 0
    const gap = this.#last === undefined ? 0 : Math.min(Math.max(time - this.#last, 0), LONGEST_GAP_MS)
    this.#last = time
    this.#due = Math.max(this.#due + gap / this.#speed, now - LARGEST_DEBT_MS)
    return Math.max(0, this.#due - now)
  }

  /** Postpones all following frames by `ms` of match time. No effect at speed 0. */
  stall(ms: number): void {
    if (this.#speed > 0) this.#due += ms / this.#speed
  }
}
