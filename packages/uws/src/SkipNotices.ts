// Owns which connections of a server a publish or send has skipped while their handlers do not know it yet.

/** Tells a handler that its connection missed messages. It may close sockets and leave topics. */
type Tell = () => void

export class SkipNotices {
  readonly #waiting = new Map<object, Tell>()
  #scheduled = false

  has(connection: object): boolean {
    return this.#waiting.has(connection)
  }

  /**
   * To be told in the next turn of the loop at the latest. The native call comes from the middle of a publish, where closing a socket
   * would free what the loop stands on.
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

  /** The connection is gone. */
  forget(connection: object): void {
    this.#waiting.delete(connection)
  }
}
