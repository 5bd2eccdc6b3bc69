/** Signals of one connection, in order, until the follower takes them. Bounded. */
import { INBOX_CAPACITY, overflow, type Signal } from "../follow/Signal.ts"

export class Inbox {
  #signals: Array<Signal> = []
  #isEnded = false
  #onSignal: (() => void) | undefined
  #onTaken: (() => void) | undefined

  get isEmpty(): boolean {
    return this.#signals.length === 0
  }

  /** False if the inbox is full or has ended. */
  offer(signal: Signal): boolean {
    if (this.#isEnded || this.#signals.length >= INBOX_CAPACITY) return false
    this.#signals.push(signal)
    this.#onSignal?.()
    return true
  }

  /** Resolves when there is room for more. For transports with backpressure. */
  async hasRoom(): Promise<void> {
    while (!this.#isEnded && this.#signals.length >= INBOX_CAPACITY / 2) {
      await new Promise<void>((resolve) => {
        this.#onTaken = resolve
      })
    }
  }

  /** No more signals are accepted. The waiting ones can still be taken. */
  end(): void {
    this.#isEnded = true
    this.#onSignal?.()
    this.#onTaken?.()
  }

  /** All waiting signals, at least one. After the end, the signal of an overflow. */
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
