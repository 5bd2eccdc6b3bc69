/**
 * Topics as uWebSockets.js 20 implements them. Messages of less than 16 KB wait until the loop's turn ends, until a
 * subscriber has 32, or until something else is sent to the socket. Larger ones are sent at once. When a subscriber
 * leaves its last topic, its pending messages are lost.
 */

export interface Subscriber {
  readonly topics: Set<string>
  pending: Array<Uint8Array>
  readonly write: (message: Uint8Array) => void
}

const BIG = 16 * 1024
const AT_MOST_PENDING = 32

export class TopicTree {
  readonly #topics = new Map<string, Set<Subscriber>>()
  #drainable = new Set<Subscriber>()

  subscribe(topic: string, subscriber: Subscriber): boolean {
    if (subscriber.topics.has(topic)) return false
    subscriber.topics.add(topic)
    const members = this.#topics.get(topic)
    if (members === undefined) this.#topics.set(topic, new Set([subscriber]))
    else members.add(subscriber)
    return true
  }

  unsubscribe(topic: string, subscriber: Subscriber): boolean {
    if (!subscriber.topics.delete(topic)) return false
    const members = this.#topics.get(topic)
    members?.delete(subscriber)
    if (members?.size === 0) this.#topics.delete(topic)
    if (subscriber.topics.size === 0) this.#forget(subscriber)
    return true
  }

  leave(subscriber: Subscriber): void {
    for (const topic of [...subscriber.topics]) this.unsubscribe(topic, subscriber)
    this.#forget(subscriber)
  }

  count(topic: string): number {
    return this.#topics.get(topic)?.size ?? 0
  }

  publish(topic: string, message: Uint8Array): boolean {
    const members = this.#topics.get(topic)
    if (members === undefined) return false
    for (const subscriber of [...members]) {
      if (message.length >= BIG) {
        this.drain(subscriber)
        subscriber.write(message)
        continue
      }
      subscriber.pending.push(message)
      this.#drainable.add(subscriber)
      if (subscriber.pending.length === AT_MOST_PENDING) this.drain(subscriber)
    }
    return true
  }

  /** Sends the pending messages of one subscriber. Called before anything else is sent to it. */
  drain(subscriber: Subscriber): void {
    if (!this.#drainable.delete(subscriber)) return
    const { pending } = subscriber
    subscriber.pending = []
    for (const message of pending) subscriber.write(message)
  }

  drainAll(): void {
    for (const subscriber of [...this.#drainable]) this.drain(subscriber)
  }

  #forget(subscriber: Subscriber): void {
    subscriber.pending = []
    this.#drainable.delete(subscriber)
  }
}
