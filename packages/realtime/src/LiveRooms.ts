/**
 * The rooms of an edge: one per match that is or was lately live. Owns which rooms there are and for how long; a room owns its
 * match. No sockets in here: whoever holds some publishes what `accept` returns.
 */
import { cursorOfMessageId, matchOfSubject } from "@matchpoint/contracts/bus/subjects"
import type { MatchId } from "@matchpoint/domain/ids"
import type { Frame, RingBounds } from "./FrameRing.ts"
import { MatchRoom } from "./MatchRoom.ts"

export interface LiveRecord {
  readonly subject: string
  readonly id: string
  readonly data: Uint8Array
  readonly appendedAt: number
}

export const defaultRingBounds: RingBounds = { frames: 1_024, bytes: 8 * 1024 * 1024, ageMs: 10 * 60_000 }

/** How long a finished match can still be read, ms. */
export const KEEP_FINISHED_MS = 10 * 60_000

export class LiveRooms {
  readonly #rooms = new Map<MatchId, MatchRoom>()
  readonly #bounds: RingBounds

  constructor(bounds: RingBounds = defaultRingBounds) {
    this.#bounds = bounds
  }

  get size(): number {
    return this.#rooms.size
  }

  get(matchId: MatchId): MatchRoom | undefined {
    return this.#rooms.get(matchId)
  }

  /** Rooms of the matches being played, by match number. */
  live(): ReadonlyArray<MatchRoom> {
    return [...this.#rooms.values()].filter((room) => room.match?.status === "live").sort((a, b) => byNumber(a.matchId, b.matchId))
  }

  /** The room and frame of a LIVE record; undefined for a frame that was passed, or a record that is none of ours. */
  accept(record: LiveRecord): { readonly room: MatchRoom; readonly frame: Frame } | undefined {
    const matchId = matchOfSubject(record.subject)
    const cursor = cursorOfMessageId(record.id)
    if (matchId === undefined || cursor === undefined) return undefined
    let room = this.#rooms.get(matchId)
    if (room === undefined) {
      room = new MatchRoom(matchId, this.#bounds)
      this.#rooms.set(matchId, room)
    }
    const frame: Frame = { epoch: cursor.epoch, seq: cursor.seq, at: record.appendedAt, bytes: record.data }
    return room.accept(frame) ? { room, frame } : undefined
  }

  /** Forgets matches that were over long ago, and frames past their age. Returns the forgotten ones. */
  sweep(now: number): ReadonlyArray<MatchId> {
    const forgotten: Array<MatchId> = []
    for (const room of this.#rooms.values()) {
      room.ring.prune(now)
      const newest = room.newest
      if (newest !== undefined && now - newest.at > KEEP_FINISHED_MS && room.match?.status !== "live") {
        this.#rooms.delete(room.matchId)
        forgotten.push(room.matchId)
      }
    }
    return forgotten
  }
}

const byNumber = (a: MatchId, b: MatchId): number => a.length - b.length || (a < b ? -1 : 1)
