// Records which connections missed a message, because a publish or send skipped them, until their handlers have been
// notified.

/**
 * Callback that notifies a handler that its connection missed messages. The handler may close sockets and unsubscribe.
 */
type Tell = () => void

export class SkipNotices {
  readonly #waiting = new Map<object, Tell>()
  #scheduled = false

  has(connection: object): boolean {
    return this.#waiting.has(connection)
  }

  /**
   * Schedules a notification, which runs in the next turn of the event loop at the latest. It must not run immediately,
   * because the native callback runs in the middle of a publish, where closing a socket would free memory that the
   * publish loop still uses.
   */
  add(connection: object, tell: Tell): void {
    this.#waiting.set(connection, tell)
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.tellAll()
    })
  }

  tell(connection: object): void {
    const tell = this.#waiting.get(connection)
    if (tell === undefined) return
    this.#waiting.delete(connection)
    tell()
  }

  tellAll(): void {
    if (this.#waiting.size === 0) return
    for (const connection of [...this.#waiting.keys()]) this.tell(connection)
  }

  /** Discards the notification of a connection that has closed. */
  forget(connection: object): void {
    this.#waiting.delete(connection)
  }
}
