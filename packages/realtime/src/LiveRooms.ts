/**
 * The rooms (sets of matches) of one tier of live delivery, real time or delayed: `all`, and one room for each match
 * that is live or was live recently. This class decides which rooms exist, for how long, and how many bytes they may
 * hold together. The state of a match belongs to its `MatchRoom`. No sockets are handled here.
 */
import { type GameName, gameOfMatch, type MatchId } from "@matchpoint/domain/ids"
import { type Frame, isAfter } from "./Frame.ts"
import { FrameRing, type RingBounds } from "./FrameRing.ts"
import type { FrameViews } from "./FrameViews.ts"
import { MatchRoom } from "./MatchRoom.ts"
import { OlderViews } from "./OlderViews.ts"

export interface RoomBounds {
  /** Limits of the frame buffer (ring) of each match. */
  readonly match: RingBounds
  /**
   * Limits of the frame buffer (ring) with the frames of all matches, from which clients that follow `all` can resume.
   * The buffer shares most of its bytes with the buffers of the single matches.
   */
  readonly all: RingBounds
  /** Maximum number of bytes that the frames of all matches may take together. */
  readonly totalBytes: number
}

const MB = 1024 * 1024

export const defaultRoomBounds: RoomBounds = {
  match: { frames: 2_048, bytes: 16 * MB, ageMs: 10 * 60_000 },
  all: { frames: 65_536, bytes: 128 * MB, ageMs: 2 * 60_000 },
  totalBytes: 512 * MB,
}

const MAX_REFUSED = 65_536

/** How long a match can still be read after it has finished, in milliseconds. */
export const KEEP_FINISHED_MS = 10 * 60_000

export class LiveRooms {
  readonly #rooms = new Map<MatchId, MatchRoom>()
  /**
   * Log positions of frames that were rejected as duplicates, the newest last. Code that reads the log must skip these
   * frames, too. An `LRUCache` is not used, because it takes 1.4 MB even when it is empty, and in most cases no frame
   * is rejected.
   */
  readonly #refused = new Set<number>()
  readonly #bounds: RoomBounds
  /**
   * Position of the first record that this server was able to read. The log had dropped all earlier records by then.
   */
  readFrom = 0
  /**
   * For each match, the newest frame that was rejected because the frame on which it is based was missing. Used to
   * recognize duplicates: any older frame of the match that arrives later is one.
   */
  readonly #baseless = new Map<MatchId, { readonly epoch: number; readonly seq: number }>()
  /** Newest frames of all matches, ordered by log position. */
  readonly all: FrameRing
  readonly #byGame = new Map<GameName, FrameRing>()
  readonly #older: OlderViews
  #position = 0
  #dueTo = 0
  /** Log position at which the rings of several matches have started. Frames up to it are only in the log. */
  #ringsFrom = 0
  /** Increases with every change of the content, so that values computed from all rooms can be cached. */
  revision = 0

  /**
   * The cache `older` can be shared by several tiers, because a log position identifies the same record in every tier.
   */
  constructor(bounds: RoomBounds = defaultRoomBounds, older = new OlderViews()) {
    this.#bounds = bounds
    this.#older = older
    this.all = new FrameRing(bounds.all)
  }

  get size(): number {
    return this.#rooms.size
  }

  /** Log position of the newest frame, or 0 if there is no frame. */
  get position(): number {
    return this.#position
  }

  /**
   * Log position up to which this tier may show all records. It is higher than `position` if list entries have shown that
   * later records are old enough.
   */
  get dueTo(): number {
    return Math.max(this.#dueTo, this.#position)
  }

  get(matchId: MatchId): MatchRoom | undefined {
    return this.#rooms.get(matchId)
  }

  /**
   * Returns the representations (state and messages) of a frame that is linked to the frame on which it is based. The
   * room of the match computes them for its newest frame; for other frames they are cached or rebuilt.
   */
  viewsOf(frame: Frame): FrameViews {
    const room = this.#rooms.get(frame.matchId)
    const newest = room?.newest === frame ? room.views : undefined
    return newest ?? this.#older.of(frame)
  }

  /** Returns the rooms of upcoming, live and recently finished matches, sorted by match number. */
  known(): ReadonlyArray<MatchRoom> {
    return [...this.#rooms.values()].sort((a, b) => byNumber(a.matchId, b.matchId))
  }

  /** Returns the rooms of live matches, sorted by match number. */
  live(): ReadonlyArray<MatchRoom> {
    return this.known().filter((room) => room.isLive)
  }

  /**
   * Returns the newest frames of one game's matches, ordered by log position. The frame objects are identical by
   * reference to those in `all`.
   */
  allOf(game: GameName): FrameRing {
    let ring = this.#byGame.get(game)
    if (ring === undefined) {
      ring = new FrameRing(this.#bounds.all)
      ring.droppedTo = this.#ringsFrom
      this.#byGame.set(game, ring)
    }
    return ring
  }

  /**
   * Accepts the next frame. Returns false if the frame is a duplicate, or if the full state after it cannot be
   * computed. In the latter case, frames of the match are accepted again from the next keyframe (a frame with the full
   * state).
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
    this.#position = frame.position
    this.revision += 1
    return true
  }

  /**
   * Shows a match as its list entry does. Only for matches whose frames are not read: such a match has a room with one frame
   * and without followers. Older entries are ignored.
   */
  acceptEntry(entry: Frame): void {
    this.#dueTo = Math.max(this.#dueTo, entry.position)
    const newest = this.#rooms.get(entry.matchId)?.newest
    if (newest !== undefined && !isAfter(entry, newest)) return
    const room = new MatchRoom(entry.matchId, this.#bounds.match)
    if (room.accept(entry) !== "taken") return
    this.#rooms.set(entry.matchId, room)
    this.#shareBytes()
    this.revision += 1
  }

  /**
   * Takes over the matches of other rooms, whose frames have been read up to a log position that all frames of these rooms
   * have reached too. The rings of several matches start again, because frames of the new matches are missing in them.
   */
  adopt(loaded: LiveRooms): void {
    for (const [matchId, room] of loaded.#rooms) this.#rooms.set(matchId, room)
    for (const [matchId, cursor] of loaded.#baseless) this.#baseless.set(matchId, cursor)
    for (const position of loaded.#refused) this.#refuse(position)
    this.#position = Math.max(this.#position, loaded.#position)
    this.#ringsFrom = this.#position
    for (const ring of [this.all, ...this.#byGame.values()]) ring.restart(this.#ringsFrom)
    if (loaded.size > 0) this.#shareBytes()
    this.revision += 1
  }

  /** Forgets all matches, because the log is another one, in which positions name other records. */
  startOver(): void {
    this.#rooms.clear()
    this.#refused.clear()
    this.#baseless.clear()
    this.#position = 0
    this.#dueTo = 0
    this.#ringsFrom = 0
    for (const ring of [this.all, ...this.#byGame.values()]) ring.restart(0)
    this.revision += 1
  }

  /**
   * Returns true if the record at this log position was rejected as a duplicate. Such records occur because a server
   * that has lost the ownership of a match can append records until it detects the loss.
   */
  isRefused(position: number): boolean {
    return this.#refused.has(position)
  }

  /**
   * Removes matches that finished long ago, and frames past their maximum age. Returns the ids of the removed matches.
   */
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
    if (forgotten.length > 0) {
      this.#shareBytes()
      this.revision += 1
    }
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

  /** Sets the byte limit of each match to an equal share of the total limit. */
  #shareBytes(): void {
    const bytes = Math.min(this.#bounds.match.bytes, Math.floor(this.#bounds.totalBytes / this.#rooms.size))
    for (const room of this.#rooms.values()) room.ring.bounds = { ...this.#bounds.match, bytes }
  }
}

const byNumber = (a: MatchId, b: MatchId): number => a.length - b.length || (a < b ? -1 : 1)
