// Counts the requests in progress and waits for them when a server stops. Uses real time instead of the `Clock`
// service: it waits for sockets, and with a test clock they would never finish.

/**
 * Milliseconds that clients have to read close frames and last bytes before the sockets are closed. Closing a socket
 * with unread input resets the connection.
 */
const farewellMs = 50

export class Shutdown {
  #running = 0
  #begun = false
  #over = false
  #onIdle: (() => void) | undefined

  /** True once the server is stopping. Responses then ask the client to close its connection. */
  get begun(): boolean {
    return this.#begun
  }

  /** True once the time limit is over and the server, not its clients, cuts the connections. */
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
   * Resolves when no request is running, at the latest after `timeoutMs`. If a request was running or `saidGoodbye` is
   * true, it waits slightly longer, so that the last bytes arrive.
   */
  async drain(timeoutMs: number, saidGoodbye: boolean): Promise<void> {
    this.#begun = true
    const quiet = this.#running === 0 && !saidGoodbye
    if (this.#running > 0) await this.#idle(timeoutMs)
    if (!quiet) await new Promise((resolve) => setTimeout(resolve, farewellMs))
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
