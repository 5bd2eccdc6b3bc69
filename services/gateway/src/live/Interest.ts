/**
 * Decides which partitions of LIVE one tier must read: those of the matches that clients follow or have just asked for.
 * The room with all matches needs every partition, in one order. Pure except for its callbacks.
 */
import { PARTITIONS, partitionOf } from "@matchpoint/contracts/bus/subjects"
import type { Room } from "@matchpoint/contracts/stream/rooms"

export type Part = number | "all"
export type Partitions = ReadonlySet<number> | "all"

/** After the last use of a partition, in milliseconds. */
export const LINGER_MS = 60_000
/** If more partitions are in use, all are read, because each change of the selection interrupts the reader. */
const MOST_SELECTED = PARTITIONS / 2

/** Parts of LIVE that must be read for a room; undefined for rooms that need nothing. */
export const partOf = (room: Room | undefined): Part | undefined =>
  room?._tag === "All" ? "all" : room?._tag === "Match" ? partitionOf(room.matchId) : undefined

interface Waiting {
  readonly parts: ReadonlyArray<Part>
  readonly go: () => void
}

export class Interest {
  readonly #now: () => number
  readonly #holders = new Map<Part, number>()
  /** Time until which parts without holders are read. */
  readonly #until = new Map<Part, number>()
  readonly #waiting = new Set<Waiting>()
  #read: Partitions
  /** Called when something must be read that is not. */
  onMissing: () => void = () => {}

  /** `read` has the partitions that are read already; `now` returns monotonic milliseconds. */
  constructor(now: () => number, read: Partitions = new Set()) {
    this.#now = now
    this.#read = read
  }

  /** As `settle` has set them. */
  get read(): Partitions {
    return this.#read
  }

  isRead(part: Part): boolean {
    return this.#read === "all" || (part !== "all" && this.#read.has(part))
  }

  /** Keeps the part in use until the returned function is called. */
  hold(part: Part): () => void {
    const release = this.#keep(part)
    if (!this.isRead(part)) this.onMissing()
    return release
  }

  #keep(part: Part): () => void {
    let isHeld = true
    this.#holders.set(part, (this.#holders.get(part) ?? 0) + 1)
    return () => {
      if (!isHeld) return
      isHeld = false
      const left = (this.#holders.get(part) ?? 0) - 1
      if (left > 0) this.#holders.set(part, left)
      else this.#holders.delete(part)
      this.#until.set(part, this.#now() + LINGER_MS)
    }
  }

  /**
   * Calls `go` as soon as the parts are read: at once if they are. They then stay in use for a minute. The returned
   * function cancels the call.
   */
  whenRead(parts: ReadonlyArray<Part>, go: () => void): () => void {
    if (parts.every((part) => this.isRead(part))) {
      const until = this.#now() + LINGER_MS
      for (const part of parts) this.#until.set(part, until)
      go()
      return () => {}
    }
    const releases = parts.map((part) => this.#keep(part))
    const end = () => {
      this.#waiting.delete(waiting)
      for (const release of releases) release()
    }
    const waiting: Waiting = {
      parts,
      go: () => {
        end()
        go()
      },
    }
    this.#waiting.add(waiting)
    this.onMissing()
    return end
  }

  wanted(): Partitions {
    const now = this.#now()
    for (const [part, until] of this.#until) if (until <= now) this.#until.delete(part)
    const parts = new Set([...this.#holders.keys(), ...this.#until.keys()])
    const partitions = new Set<number>()
    for (const part of parts) {
      if (part === "all") return "all"
      partitions.add(part)
    }
    return partitions.size > MOST_SELECTED ? "all" : partitions
  }

  /**
   * Records what is read from now on, and calls back those that waited for it. Partitions that are read already and
   * whose use began after `read` was chosen stay: their clients must not miss a record.
   */
  settle(read: Partitions): void {
    this.#read = this.#withUsed(read)
    for (const { go, parts } of this.#waiting) if (parts.every((part) => this.isRead(part))) go()
  }

  #withUsed(chosen: Partitions): Partitions {
    const wanted = this.wanted()
    if (chosen === "all" || (wanted === "all" && this.#read === "all")) return "all"
    const used: Iterable<number> = wanted !== "all" ? wanted : this.#read === "all" ? [] : this.#read
    return new Set([...chosen, ...[...used].filter((partition) => this.isRead(partition))])
  }
}
