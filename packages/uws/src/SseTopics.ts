// Topic subscriptions of SSE connections, and the loop that writes a frame to all subscribers of a topic. For
// WebSockets, uWebSockets.js manages topics itself; for HTTP responses, it has no topics.

/** The members of a connection that the subscription table uses. */
export interface SseMember {
  /** Topics to which the connection is subscribed. Changed only by the subscription table. */
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
   * Writes the same bytes to every subscriber of a topic and returns the number of subscribers. Costs one native call
   * and one send call per subscriber, and allocates nothing. A subscriber that exceeds its buffer limit may unsubscribe
   * during the iteration, which is safe with a `Set`.
   */
  publish(topic: string, bytes: Uint8Array): number {
    const members = this.#members.get(topic)
    if (members === undefined) return 0
    const count = members.size
    for (const connection of members) connection.write(bytes)
    return count
  }
}
