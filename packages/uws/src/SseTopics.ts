// Topics of SSE connections. uWebSockets.js supports topics only for WebSockets, not for HTTP responses.

/** Parts of a connection that this module uses. */
export interface SseMember {
  /** Changed only by this module. */
  readonly topics: Set<string>
  readonly write: (bytes: Uint8Array) => boolean
}

export class SseTopics {
  readonly #members = new Map<string, Set<SseMember>>()

  subscribe(topic: string, connection: SseMember): void {
    const members = this.#members.get(topic)
    if (members === undefined) this.#members.set(topic, new Set([connection]))
    else members.add(connection)
    connection.topics.add(topic)
  }

  unsubscribe(topic: string, connection: SseMember): void {
    connection.topics.delete(topic)
    const members = this.#members.get(topic)
    if (members?.delete(connection) && members.size === 0) this.#members.delete(topic)
  }

  leave(connection: SseMember): void {
    for (const topic of connection.topics) this.unsubscribe(topic, connection)
  }

  count(topic: string): number {
    return this.#members.get(topic)?.size ?? 0
  }

  /**
   * Returns the number of subscribers. One native call and one send call each, no allocation. A subscriber whose buffer
   * is full may unsubscribe during the loop.
   */
  publish(topic: string, bytes: Uint8Array): number {
    const members = this.#members.get(topic)
    if (members === undefined) return 0
    const count = members.size
    for (const connection of members) connection.write(bytes)
    return count
  }
}
