// Owns who follows which topic over SSE, and the loop that writes one frame to all of them.
// WebSocket topics live in uWebSockets.js; it has none for HTTP responses.

/** What the table needs of a connection. */
export interface SseMember {
  /** The topics it follows; written by the table alone. */
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
   * Writes the same bytes to every member; returns how many there were. Costs one native call and one send call per member and
   * allocates nothing. A member over its limit may leave the set while it is walked, which a Set allows.
   */
  publish(topic: string, bytes: Uint8Array): number {
    const members = this.#members.get(topic)
    if (members === undefined) return 0
    const count = members.size
    for (const connection of members) connection.write(bytes)
    return count
  }
}
