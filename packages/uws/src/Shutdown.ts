// Counts the requests in progress, and waits for them when the server stops. The wait uses real time instead of
// Effect's `Clock` service. With a test clock, which real sockets do not follow, it would never end.

/**
 * Delay before the server closes its sockets, in milliseconds. It gives clients time to read close frames and the last
 * bytes. It is needed because closing a socket with unread input resets the connection.
 */
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

  /**
   * True after the server has stopped waiting for its clients. From then on, the server itself terminates the remaining
   * connections.
   */
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
   * Waits until no request is running, but at most `timeoutMs`. If a request was running or `closeSent` is true (close
   * messages were sent to connections), it then waits slightly longer, so that the last bytes can arrive.
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
