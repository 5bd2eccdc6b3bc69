/**
 * Scheduled tasks: a binary heap ordered by time, then by order of insertion, so that tasks of one time keep their
 * order.
 */

interface Entry {
  readonly at: number
  readonly order: number
  task: (() => void) | undefined
}

export class TimedQueue {
  readonly #heap: Array<Entry> = []
  #order = 0

  get nextAt(): number {
    while (this.#heap[0] !== undefined && this.#heap[0].task === undefined) this.#pop()
    return this.#heap[0]?.at ?? Number.POSITIVE_INFINITY
  }

  /** Returns a function that cancels the task. */
  add(at: number, task: () => void): () => void {
    const entry: Entry = { at, order: this.#order++, task }
    this.#push(entry)
    return () => {
      entry.task = undefined
    }
  }

  /** Removes the tasks due now. Call each entry right before running it: an earlier task may cancel a later one. */
  takeDue(now: number): ReadonlyArray<() => (() => void) | undefined> {
    if (this.nextAt > now) return none
    const due: Array<() => (() => void) | undefined> = []
    while (this.nextAt <= now) {
      const entry = this.#pop()
      if (entry !== undefined) due.push(() => entry.task)
    }
    return due
  }

  #push(entry: Entry): void {
    const heap = this.#heap
    let at = heap.length
    heap.push(entry)
    while (at > 0) {
      const up = (at - 1) >>> 1
      const parent = heap[up]
      if (parent === undefined || before(parent, entry)) break
      heap[at] = parent
      at = up
    }
    heap[at] = entry
  }

  #pop(): Entry | undefined {
    const heap = this.#heap
    const top = heap[0]
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return top
    let at = 0
    while (true) {
      let down = at * 2 + 1
      let child = heap[down]
      if (child === undefined) break
      const right = heap[down + 1]
      if (right !== undefined && before(right, child)) {
        down += 1
        child = right
      }
      if (before(last, child)) break
      heap[at] = child
      at = down
    }
    heap[at] = last
    return top
  }
}

const none: ReadonlyArray<() => (() => void) | undefined> = []

const before = (a: Entry, b: Entry): boolean => a.at < b.at || (a.at === b.at && a.order < b.order)
