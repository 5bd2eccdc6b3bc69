/**
 * When the next frame of a replay is due: the gaps of the match divided by the speed, long ones shortened. Plain arithmetic on times
 * it is given; it neither sleeps nor looks at a clock.
 */

/** The longest silence, ms of the match: between two maps nothing happens for minutes. */
export const LONGEST_GAP_MS = 5_000

/** How far a replay may be behind and still make up for it by sending faster; what is more is simply later. */
const LARGEST_DEBT_MS = 1_000

export class Pace {
  readonly #speed: number
  /** Of the match, epoch ms. */
  #last: number | undefined
  /** Of the clock, epoch ms. */
  #due: number

  /** `speed` 0: everything is due at once. */
  constructor(speed: number, now: number) {
    this.#speed = speed
    this.#due = now
  }

  /** How long to wait from `now` until the frame of this time is due, ms. Called once per frame, in order. */
  waitFor(time: number, now: number): number {
    if (this.#speed === 0) return 0
    const gap = this.#last === undefined ? 0 : Math.min(Math.max(time - this.#last, 0), LONGEST_GAP_MS)
    this.#last = time
    this.#due = Math.max(this.#due + gap / this.#speed, now - LARGEST_DEBT_MS)
    return Math.max(0, this.#due - now)
  }

  /** Puts everything from here on off, by ms of the match. Without a pace there is nothing to put off. */
  stall(ms: number): void {
    if (this.#speed > 0) this.#due += ms / this.#speed
  }
}
