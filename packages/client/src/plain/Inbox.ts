/** Bounded queue of the signals of one connection, in order. */
import { INBOX_CAPACITY, overflow, type Signal } from "../follow/Signal.ts"

export class Inbox {
  #signals: Array<Signal> = []
  #isEnded = false
  #onSignal: (() => void) | undefined
  #onTaken: (() => void) | undefined

  get isEmpty(): boolean {
    return this.#signals.length === 0
  }

  /** Returns false if the queue is full or has ended. */
  offer(signal: Signal): boolean {
    if (this.#isEnded || this.#signals.length >= INBOX_CAPACITY) return false
    this.#signals.push(signal)
    this.#onSignal?.()
    return true
  }

  /**
   * Resolves when the queue is less than half full or has ended. Transports with backpressure wait for it before they
   * read more.
   */
  async hasRoom(): Promise<void> {
    while (!this.#isEnded && this.#signals.length >= INBOX_CAPACITY / 2) {
      await new Promise<void>((resolve) => {
        this.#onTaken = resolve
      })
    }
  }

  /** Signals already in the queue can still be taken. */
  end(): void {
    this.#isEnded = true
    this.#onSignal?.()
    this.#onTaken?.()
  }

  /**
   * Takes all queued signals, or waits for one. If the queue has ended and is empty, returns `Closed` with the reason
   * that messages arrived faster than they were read.
   */
  async take(): Promise<ReadonlyArray<Signal>> {
    while (this.#signals.length === 0 && !this.#isEnded) {
      await new Promise<void>((resolve) => {
        this.#onSignal = resolve
      })
    }
    const taken = this.#signals.length === 0 ? [overflow] : this.#signals
    this.#signals = []
    this.#onTaken?.()
    return taken
  }
}
