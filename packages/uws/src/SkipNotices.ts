// Connections that a publish or send has skipped. A connection stays recorded until its handler has been notified.

/** The handler may close sockets and unsubscribe. */
type Notify = () => void

export class SkipNotices {
  readonly #waiting = new Map<object, Notify>()
  #scheduled = false

  has(connection: object): boolean {
    return this.#waiting.has(connection)
  }

  /**
   * Notifies in the next turn of the event loop at the latest. Not immediately: this is called from a native callback
   * in the middle of a publish, and if the handler closed a socket then, memory that the publish loop still uses would
   * be freed.
   */
  add(connection: object, notify: Notify): void {
    this.#waiting.set(connection, notify)
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.notifyAll()
    })
  }

  notify(connection: object): void {
    const notify = this.#waiting.get(connection)
    if (notify === undefined) return
    this.#waiting.delete(connection)
    notify()
  }

  notifyAll(): void {
    if (this.#waiting.size === 0) return
    for (const connection of [...this.#waiting.keys()]) this.notify(connection)
  }

  /** Discards the notice of a connection that has closed. */
  forget(connection: object): void {
    this.#waiting.delete(connection)
  }
}
