// Counts the requests in progress, and waits for them when the server stops. In real time: with a test clock, which
// real sockets do not follow, the wait would never end.

/** Clients read close frames and the last bytes first: closing a socket with unread input resets the connection. */
const closeDelayMs = 50

export class Shutdown {
  #running = 0
  #begun = false
  #over = false
  #onIdle: (() => void) | undefined

  /** True after the server has begun to stop. From then on, responses ask the client to close its connection. */
  get begun(): boolean {
    return this.#begun
  }

  /** True if the server no longer waits for its clients. From then on, it terminates the remaining connections. */
  get over(): boolean {
    return this.#over
  }

  get running(): number {
    return this.#running
  }

  started(): void {
    this.#running++
  }

  finished(): void {
    this.#running--
    if (this.#running === 0) this.#onIdle?.()
  }

  /**
   * Waits at most `timeoutMs` until no request runs. If one ran, or close messages were sent, slightly longer for the
   * last bytes.
   */
  async drain(timeoutMs: number, closeSent: boolean): Promise<void> {
    this.#begun = true
    const quiet = this.#running === 0 && !closeSent
    if (this.#running > 0) await this.#idle(timeoutMs)
    if (!quiet) await new Promise((resolve) => setTimeout(resolve, closeDelayMs))
    this.#over = true
  }

  #idle(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.#onIdle = undefined
        resolve()
      }
      const timer = setTimeout(done, timeoutMs)
      this.#onIdle = done
    })
  }
}
