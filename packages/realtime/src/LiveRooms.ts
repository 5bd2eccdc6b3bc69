/**
 * The rooms of an edge: one per match that is or was lately live, and `all`. Owns which rooms there are, for how long, and how many
 * bytes they may keep together; a room owns its match. No sockets in here.
 */
import { type GameName, gameOfMatch, type MatchId } from "@matchpoint/domain/ids"
import { type Frame, isAfter } from "./Frame.ts"
import { FrameRing, type RingBounds } from "./FrameRing.ts"
import { MatchRoom } from "./MatchRoom.ts"
import { OlderViews } from "./OlderViews.ts"
import type { Views } from "./Views.ts"

export interface RoomBounds {
  /** Per match. */
  readonly match: RingBounds
  /** The frames of all matches in one ring, from which followers of `all` resume. The bytes are mostly shared with the matches' rings. */
  readonly all: RingBounds
  /** What all matches may keep together. */
  readonly totalBytes: number
}

const MB = 1024 * 1024

export const defaultRoomBounds: RoomBounds = {
  match: { frames: 2_048, bytes: 16 * MB, ageMs: 10 * 60_000 },
  all: { frames: 65_536, bytes: 128 * MB, ageMs: 2 * 60_000 },
  totalBytes: 512 * MB,
}

const MAX_REFUSED = 65_536

/** How long a finished match can still be read, ms. */
export const KEEP_FINISHED_MS = 10 * 60_000

export class LiveRooms {
  readonly #rooms = new Map<MatchId, MatchRoom>()
  /** Positions of frames that had been passed already: whoever reads the log itself has to leave them out, too. */
  readonly #refused = new Set<number>()
  readonly #bounds: RoomBounds
  /** Position of the first record that this edge could read: what came before it had left the log. */
  readFrom = 0
  /** The newest frame of each match that could not be taken for lack of its base: what is older than that repeats history. */
  readonly #baseless = new Map<MatchId, { readonly epoch: number; readonly seq: number }>()
  /** Every match's frames, by position. */
  readonly all: FrameRing
  readonly #byGame = new Map<GameName, FrameRing>()
  readonly #older: OlderViews

  /** `older` may be shared: a position means the same record in every tier. */
  constructor(bounds: RoomBounds = defaultRoomBounds, older = new OlderViews()) {
    this.#bounds = bounds
    this.#older = older
    this.all = new FrameRing(bounds.all)
  }

  get size(): number {
    return this.#rooms.size
  }

  /** Position of the newest frame; 0 before the first. */
  get position(): number {
    return this.all.newest?.position ?? 0
  }

  get(matchId: MatchId): MatchRoom | undefined {
    return this.#rooms.get(matchId)
  }

  /** Views of any linked frame. Those of the newest are there; older ones are rebuilt. */
  viewsOf(frame: Frame): Views {
    const newest = this.#rooms.get(frame.matchId)?.views
    return newest !== undefined && newest.frame === frame ? newest : this.#older.of(frame)
  }

  /** Rooms of the matches that are being played, about to be, or lately over; by match number. */
  known(): ReadonlyArray<MatchRoom> {
    return [...this.#rooms.values()].sort((a, b) => byNumber(a.matchId, b.matchId))
  }

  /** Rooms of the matches being played, by match number. */
  live(): ReadonlyArray<MatchRoom> {
    return this.known().filter((room) => room.isLive)
  }

  /** The frames of one game's matches, by position. They are those of `all`. */
  allOf(game: GameName): FrameRing {
    let ring = this.#byGame.get(game)
    if (ring === undefined) {
      ring = new FrameRing(this.#bounds.all)
      this.#byGame.set(game, ring)
    }
    return ring
  }

  /** Takes the next frame. False: it was passed already, or its document cannot be made before the next keyframe. */
  accept(frame: Frame): boolean {
    const known = this.#rooms.get(frame.matchId)
    const room = known ?? new MatchRoom(frame.matchId, this.#bounds.match)
    const skipped = this.#baseless.get(frame.matchId)
    const taken = skipped !== undefined && isAfter(skipped, frame) ? "repeated" : room.accept(frame)
    if (taken === "repeated") this.#refuse(frame.position)
    if (taken === "baseless") this.#baseless.set(frame.matchId, { epoch: frame.epoch, seq: frame.seq })
    if (taken !== "taken") return false
    this.#baseless.delete(frame.matchId)
    if (known === undefined) {
      this.#rooms.set(frame.matchId, room)
      this.#shareBytes()
    }
    this.all.push(frame)
    this.allOf(gameOfMatch(frame.matchId)).push(frame)
    return true
  }

  /** Whether the record at this position of the log repeats frames that came before it (an owner that did not know it had lost its match). */
  isRefused(position: number): boolean {
    return this.#refused.has(position)
  }

  /** Forgets matches that were over long ago, and frames past their age. Returns the forgotten ones. */
  sweep(now: number): ReadonlyArray<MatchId> {
    const forgotten: Array<MatchId> = []
    this.all.prune(now)
    for (const ring of this.#byGame.values()) ring.prune(now)
    for (const room of this.#rooms.values()) {
      room.ring.prune(now)
      const newest = room.newest
      if (newest !== undefined && now - newest.at > KEEP_FINISHED_MS && !room.isLive) {
        this.#rooms.delete(room.matchId)
        forgotten.push(room.matchId)
      }
    }
    if (forgotten.length > 0) this.#shareBytes()
    return forgotten
  }

  #refuse(position: number): void {
    this.#refused.add(position)
    if (this.#refused.size <= MAX_REFUSED) return
    for (const oldest of this.#refused) {
      this.#refused.delete(oldest)
      break
    }
  }

  /** Each match gets the same part of what all may keep. */
  #shareBytes(): void {
    const bytes = Math.min(this.#bounds.match.bytes, Math.floor(this.#bounds.totalBytes / this.#rooms.size))
    for (const room of this.#rooms.values()) room.ring.bounds = { ...this.#bounds.match, bytes }
  }
}

const byNumber = (a: MatchId, b: MatchId): number => a.length - b.length || (a < b ? -1 : 1)
