/**
 * Growable ring buffer. Positions of items never change, so a cursor is a number. `get`, `push` and `shift` are O(1).
 * The capacity is at most twice the peak number of items and shrinks with removals.
 */
const smallest = 8

export class Deque<A> {
  start: number
  /** Position after the newest item. */
  end: number
  private items: Array<A | undefined> = new Array(smallest)

  constructor(start: number) {
    this.start = start
    this.end = start
  }

  get length(): number {
    return this.end - this.start
  }

  /** Undefined unless `start <= position < end`. */
  get(position: number): A | undefined {
    return position < this.start || position >= this.end ? undefined : this.items[position & (this.items.length - 1)]
  }

  push(item: A): void {
    if (this.length === this.items.length) this.resize(this.items.length * 2)
    this.items[this.end & (this.items.length - 1)] = item
    this.end++
  }

  shift(): A | undefined {
    if (this.start === this.end) return undefined
    const slot = this.start & (this.items.length - 1)
    const item = this.items[slot]
    this.items[slot] = undefined
    this.start++
    if (this.items.length > smallest && this.length * 4 < this.items.length) this.resize(this.items.length / 2)
    return item
  }

  private resize(capacity: number): void {
    const items: Array<A | undefined> = new Array(capacity)
    for (let position = this.start; position < this.end; position++) items[position & (capacity - 1)] = this.get(position)
    this.items = items
  }
}
