/**
 * Holds frames back until they are old enough for a delayed edge. First in, first out. The age counts from the later of the log's
 * time and the time of arrival here, so that a clock that runs ahead of the log's cannot let one through early. Bounded: past its bytes
 * it forgets the oldest, which the delayed edge then finds missing and announces.
 */
import { type Frame, sizeOf } from "./Frame.ts"

interface Held {
  readonly frame: Frame
  readonly dueAt: number
}

export class DelayLine {
  readonly #delayMs: number
  readonly #held: Array<Held | undefined> = []
  #start = 0
  readonly #maxBytes: number
  #bytes = 0
  /** Due times never go back, whatever the clocks do: order comes first. */
  #lastDueAt = 0

  constructor(delayMs: number, maxBytes: number) {
    this.#delayMs = delayMs
    this.#maxBytes = maxBytes
  }

  get size(): number {
    return this.#held.length - this.#start
  }

  /** When the next frame is due, epoch ms; undefined: none is held. */
  get nextDueAt(): number | undefined {
    return this.#held[this.#start]?.dueAt
  }

  /** `arrivedAt` undefined: the frame was in the log before we looked, so that only the log's time counts. */
  push(frame: Frame, arrivedAt: number | undefined): void {
    this.#lastDueAt = Math.max(this.#lastDueAt, Math.max(frame.at, arrivedAt ?? 0) + this.#delayMs)
    this.#held.push({ frame, dueAt: this.#lastDueAt })
    this.#bytes += sizeOf(frame)
    while (this.#bytes > this.#maxBytes && this.size > 1) this.#shift()
  }

  /** Takes the next frame that is due. */
  take(now: number): Frame | undefined {
    const next = this.#held[this.#start]
    if (next === undefined || next.dueAt > now) return undefined
    this.#shift()
    return next.frame
  }

  #shift(): void {
    const first = this.#held[this.#start]
    if (first === undefined) return
    this.#bytes -= sizeOf(first.frame)
    this.#held[this.#start] = undefined
    this.#start += 1
    if (this.#start > 1_024 && this.#start * 2 > this.#held.length) {
      this.#held.splice(0, this.#start)
      this.#start = 0
    }
  }
}
