// Owns the count of requests in progress and the wait for them when a server stops.
// Real time, not the Clock service: what it waits for are sockets, and a test clock would never let them finish.

/** Time for close frames and last bytes to be read before the sockets are closed; closing with unread input resets a connection. */
const farewellMs = 50

export class Shutdown {
  #running = 0
  #begun = false
  #over = false
  #onIdle: (() => void) | undefined

  /** True once the server stops: answers then ask the client to close its connection. */
  get begun(): boolean {
    return this.#begun
  }

  /** True once the time is up and connections are cut, by us and not by their clients. */
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
   * Resolves when nothing runs, at the latest after `timeoutMs`; a moment later if a request was running or `saidGoodbye` to
   * somebody, so that the last bytes arrive.
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
