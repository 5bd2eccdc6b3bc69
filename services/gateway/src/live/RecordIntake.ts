/**
 * Puts records of the log into the rooms of a tier. Records that this gateway cannot read are counted and reported, and
 * never stop the others.
 */
import type { LogRecord } from "@matchpoint/bus/EventLog"
import { matchOfSubject, positionOfEntryId } from "@matchpoint/contracts/bus/subjects"
import type { LiveContracts } from "@matchpoint/contracts/game/LiveContract"
import { gameOfMatch } from "@matchpoint/domain/ids"
import type { Edge } from "@matchpoint/realtime/Edge"
import { type Frame, frameOfRecord } from "@matchpoint/realtime/Frame"
import { UnreadableFrame } from "@matchpoint/realtime/FrameViews"
import type { LiveRooms } from "@matchpoint/realtime/LiveRooms"
import { type Context, Effect, Metric } from "effect"

export const recordsUnreadable = Metric.counter("matchpoint_gateway_unreadable_records_total", {
  description: "Records of LIVE or ENTRIES in a format that this gateway cannot decode",
  incremental: true,
})

const LOG_EVERY_MS = 10_000

export class RecordIntake {
  readonly #games: LiveContracts
  readonly #monotonic: () => number
  readonly #context: Context.Context<never>
  #unreadable = 0
  #loggedAt = Number.NEGATIVE_INFINITY

  constructor(games: LiveContracts, monotonic: () => number, context: Context.Context<never>) {
    this.#games = games
    this.#monotonic = monotonic
    this.#context = context
  }

  /** Undefined if the record of LIVE produced no frame. */
  pass(edge: Edge, record: LogRecord): Frame | undefined {
    const frame = frameOfRecord(record, this.#games, edge.rooms)
    if (frame !== undefined) return this.#unlessDamaged(() => (edge.accept(frame) ? frame : undefined))
    const matchId = matchOfSubject(record.subject)
    if (this.#countUnlessForeign(record) && matchId !== undefined) edge.handleUnreadable(matchId)
    return undefined
  }

  /** For rooms that no client follows yet. */
  load(rooms: LiveRooms, record: LogRecord): void {
    const frame = frameOfRecord(record, this.#games, rooms)
    if (frame === undefined) this.#countUnlessForeign(record)
    else this.#unlessDamaged(() => rooms.accept(frame))
  }

  passEntry(rooms: LiveRooms, record: LogRecord): void {
    const sequence = positionOfEntryId(record.id)
    const entry = sequence === undefined ? undefined : frameOfRecord({ ...record, sequence }, this.#games)
    if (entry === undefined) this.#countUnlessForeign(record)
    else this.#unlessDamaged(() => rooms.acceptEntry(entry))
  }

  /** Reports the unreadable records since the last report, at most every ten seconds. */
  readonly report = Effect.suspend(() => {
    const now = this.#monotonic()
    if (this.#unreadable === 0 || now - this.#loggedAt < LOG_EVERY_MS) return Effect.void
    const count = this.#unreadable
    this.#unreadable = 0
    this.#loggedAt = now
    return Effect.logError(
      `${count} records of matches cannot be read by this gateway; clients of these matches were reset or wait for the next keyframe`,
    )
  })

  /** Counts an unreadable record. Returns false if it belongs to a game that this server does not have. */
  #countUnlessForeign({ subject }: LogRecord): boolean {
    const matchId = matchOfSubject(subject)
    if (matchId !== undefined && !this.#games.has(gameOfMatch(matchId))) return false
    this.#count()
    return true
  }

  #count(): void {
    this.#unreadable += 1
    recordsUnreadable.updateUnsafe(1, this.#context)
  }

  /** A damaged record of one match must not stop the others. */
  #unlessDamaged<A>(accept: () => A): A | undefined {
    try {
      return accept()
    } catch (error) {
      if (!(error instanceof UnreadableFrame)) throw error
      this.#count()
      return undefined
    }
  }
}
