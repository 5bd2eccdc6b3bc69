/**
 * The rooms of an edge: one per match that is live or was recently, and `all`. It owns which rooms exist, for how long,
 * and how many bytes they may hold together. A `MatchRoom` owns its match. It has no sockets.
 */
import { type GameName, gameOfMatch, type MatchId } from "@matchpoint/domain/ids"
import { type Frame, isAfter } from "./Frame.ts"
import { FrameRing, type RingBounds } from "./FrameRing.ts"
import type { FrameViews } from "./FrameViews.ts"
import { MatchRoom } from "./MatchRoom.ts"
import { OlderViews } from "./OlderViews.ts"

export interface RoomBounds {
  /** Limits of the ring of each match. */
  readonly match: RingBounds
  /**
   * Limits of the ring with the frames of all matches, from which followers of `all` resume. It shares most of its
   * bytes with the rings of the matches.
   */
  readonly all: RingBounds
  /** Maximum number of bytes for all matches together. */
  readonly totalBytes: number
}

const MB = 1024 * 1024

export const defaultRoomBounds: RoomBounds = {
  match: { frames: 2_048, bytes: 16 * MB, ageMs: 10 * 60_000 },
  all: { frames: 65_536, bytes: 128 * MB, ageMs: 2 * 60_000 },
  totalBytes: 512 * MB,
}

const MAX_REFUSED = 65_536

/** Milliseconds for which a finished match can still be read. */
export const KEEP_FINISHED_MS = 10 * 60_000

export class LiveRooms {
  readonly #rooms = new Map<MatchId, MatchRoom>()
  /**
   * Positions of repeated frames, the newest last. Readers of the log must skip them, too. Not an `LRUCache`, which takes
   * 1.4 MB when it is empty; most edges never refuse a frame.
   */
  readonly #refused = new Set<number>()
  readonly #bounds: RoomBounds
  /** Position of the first record that this edge could read. Earlier records had been dropped from the log. */
  readFrom = 0
  /**
   * By match, the newest frame that was rejected because its base was missing. An older frame of the match is a repeat.
   */
  readonly #baseless = new Map<MatchId, { readonly epoch: number; readonly seq: number }>()
  /** Frames of all matches, by position. */
  readonly all: FrameRing
  readonly #byGame = new Map<GameName, FrameRing>()
  readonly #older: OlderViews

  /** Tiers may share `older`, because a position means the same record in every tier. */
  constructor(bounds: RoomBounds = defaultRoomBounds, older = new OlderViews()) {
    this.#bounds = bounds
    this.#older = older
    this.all = new FrameRing(bounds.all)
  }

  get size(): number {
    return this.#rooms.size
  }

  /** Position of the newest frame; 0 if there is none. */
  get position(): number {
    return this.all.newest?.position ?? 0
  }

  get(matchId: MatchId): MatchRoom | undefined {
    return this.#rooms.get(matchId)
  }

  /** Returns the views of a linked frame. Those of the newest frame exist already; others are rebuilt. */
  viewsOf(frame: Frame): FrameViews {
    const newest = this.#rooms.get(frame.matchId)?.views
    return newest !== undefined && newest.frame === frame ? newest : this.#older.of(frame)
  }

  /** Rooms of upcoming, live and recently finished matches, by match number. */
  known(): ReadonlyArray<MatchRoom> {
    return [...this.#rooms.values()].sort((a, b) => byNumber(a.matchId, b.matchId))
  }

  /** Rooms of live matches, by match number. */
  live(): ReadonlyArray<MatchRoom> {
    return this.known().filter((room) => room.isLive)
  }

  /** Returns the frames of one game's matches, by position. They are the same objects as in `all`. */
  allOf(game: GameName): FrameRing {
    let ring = this.#byGame.get(game)
    if (ring === undefined) {
      ring = new FrameRing(this.#bounds.all)
      this.#byGame.set(game, ring)
    }
    return ring
  }

  /**
   * Accepts the next frame. Returns false if it is a repeat, or if its document cannot be built before the next
   * keyframe.
   */
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

  /**
   * Returns true if the record at this log position repeats earlier frames. An owner that does not know it has lost its
   * match can append such records.
   */
  isRefused(position: number): boolean {
    return this.#refused.has(position)
  }

  /** Removes matches that finished long ago and frames past their maximum age. Returns the removed matches. */
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

  /** Divides the total number of bytes equally among the matches. */
  #shareBytes(): void {
    const bytes = Math.min(this.#bounds.match.bytes, Math.floor(this.#bounds.totalBytes / this.#rooms.size))
    for (const room of this.#rooms.values()) room.ring.bounds = { ...this.#bounds.match, bytes }
  }
}

const byNumber = (a: MatchId, b: MatchId): number => a.length - b.length || (a < b ? -1 : 1)
