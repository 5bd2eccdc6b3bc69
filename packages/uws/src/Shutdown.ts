// Owns the count of requests in progress and the wait for them when a server stops.
// Real time, not the Clock service: what it waits for are sockets, and a test clock would never let them finish.

/** Time for close frames and last bytes to be read before the sockets are closed; closing with unread input resets a connection. */
const farewellMs = 50

export class Shutdown {
  #running = 0
  #begun = false
  #onIdle: (() => void) | undefined

  /** True once the server stops: answers then ask the client to close its connection. */
  get begun(): boolean {
    return this.#begun
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

  /** Resolves when nothing runs, at the latest after `timeoutMs`, and then a moment for the last bytes. */
  drain(timeoutMs: number): Promise<void> {
    this.#begun = true
    return new Promise((resolve) => {
      const farewell = () => {
        clearTimeout(timer)
        this.#onIdle = undefined
        setTimeout(resolve, farewellMs)
      }
      const timer = setTimeout(farewell, timeoutMs)
      this.#onIdle = farewell
      if (this.#running === 0) farewell()
    })
  }
}
