/** One match in memory, and how much of FEED it includes. Times are monotonic milliseconds. */
import type { Appended } from "@matchpoint/bus/EventLog"
import type { GameFeed } from "@matchpoint/game/feed/GameFeed"
import { Semaphore } from "effect"
import { StoredFacts } from "./StoredFacts.ts"

/**
 * Maximum time until FEED is read again although this process appended the newest event. Otherwise, an event of another
 * process between two events of this process would remain unnoticed.
 */
export const REREAD_AFTER_MS = 2_000

interface Opened {
  readonly readTo: number
  readonly openedAt: number
  readonly isWhole: boolean
}

export class IntakeSession {
  readonly turn = Semaphore.makeUnsafe(1)
  readonly feed: GameFeed
  readonly openedAt: number
  /** False if the history lacks events. */
  readonly isWhole: boolean
  readonly storedFacts = new StoredFacts()
  intake: object
  waiting = 0
  /** True if the state may no longer match FEED. The session must be discarded. */
  dropped = false

  /** Sequence up to which FEED has been read at `readAt`. `readIntake` is the game's session after that read. */
  readTo: number
  readAt = 0
  readIntake: object
  /** Events that this session has appended since the last read. `appendedTo` is the largest sequence of them. */
  readonly appended = new Set<number>()
  appendedTo = 0
  /** An appended event that was not delivered to this process at the last check, and since when. */
  #undelivered: { readonly sequence: number; readonly since: number } | undefined

  constructor(feed: GameFeed, intake: object, { isWhole, openedAt, readTo }: Opened) {
    this.feed = feed
    this.openedAt = openedAt
    this.isWhole = isWhole
    this.intake = intake
    this.readIntake = intake
    this.readTo = readTo
  }

  /**
   * True if the newest record of the match comes before records that this session has read or appended. Then FEED was
   * lost and created again, or restored. `newest` is 0 if FEED has no record of the match, because it may have dropped
   * them.
   */
  isOfOtherLog(newest: number): boolean {
    return newest > 0 && newest < Math.max(this.readTo, this.appendedTo)
  }

  take(intake: object, readTo: number, now: number): void {
    this.intake = intake
    this.readIntake = intake
    this.readTo = readTo
    this.readAt = now
    this.appended.clear()
    this.#undelivered = undefined
  }

  note({ sequence }: Appended, now: number): void {
    if (sequence <= this.readTo) return
    this.appended.add(sequence)
    this.appendedTo = Math.max(this.appendedTo, sequence)
    this.#undelivered ??= { sequence, since: now }
  }

  /**
   * Notes which records after `readTo` this process has read. Returns true if the log need not be asked for others: all
   * of them are of this session, and none of its own events has been missing for two seconds.
   */
  noteDelivered(delivered: ReadonlyArray<number> | undefined, now: number): boolean {
    if (delivered === undefined || !delivered.every((sequence) => this.appended.has(sequence))) return false
    const deliveredTo = delivered.at(-1) ?? this.readTo
    if (deliveredTo >= this.appendedTo) {
      this.take(this.intake, deliveredTo, now)
    } else if (this.#undelivered !== undefined && this.#undelivered.sequence <= deliveredTo) {
      this.#undelivered = { sequence: this.appendedTo, since: now }
    }
    return this.#undelivered === undefined || now - this.#undelivered.since < REREAD_AFTER_MS
  }
}
