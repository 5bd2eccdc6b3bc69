/**
 * The rooms of one tier: `all`, one per game, and one for each match that is live or was live recently. Decides which
 * rooms exist, for how long, and how many bytes they may hold together. The state of a match belongs to its
 * `MatchRoom`; no sockets here.
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
   * Limits of the ring of all matches, from which clients that follow `all` can resume. It shares most of its bytes
   * with the rings of the single matches.
   */
  readonly all: RingBounds
  /** Maximum for the frames of all matches together. */
  readonly totalBytes: number
}

const MB = 1024 * 1024

export const defaultRoomBounds: RoomBounds = {
  match: { frames: 2_048, bytes: 16 * MB, ageMs: 10 * 60_000 },
  all: { frames: 65_536, bytes: 128 * MB, ageMs: 2 * 60_000 },
  totalBytes: 512 * MB,
}

const MAX_REFUSED = 65_536

/** How long a finished match can still be read, in milliseconds. */
export const KEEP_FINISHED_MS = 10 * 60_000

export class LiveRooms {
  readonly #rooms = new Map<MatchId, MatchRoom>()
  /**
   * Log positions of rejected duplicates, the newest last. Readers of the log must skip them, too. An empty `LRUCache`
   * would take 1.4 MB, and in most cases no frame is rejected.
   */
  readonly #refused = new Set<number>()
  readonly #bounds: RoomBounds
  /** Position of the first record that this server could read. The log had dropped all earlier ones. */
  readFrom = 0
  /**
   * Newest frame per match that was rejected because its base was missing. Any older frame that arrives later is a
   * duplicate.
   */
  readonly #baseless = new Map<MatchId, { readonly epoch: number; readonly seq: number }>()
  readonly all: FrameRing
  readonly #byGame = new Map<GameName, FrameRing>()
  readonly #older: OlderViews
  #position = 0
  #dueTo = 0
  /** Log position at which the rings of several matches start. Earlier frames are only in the log. */
  #ringsFrom = 0
  /** Increases with every change, so that values computed from all rooms can be cached. */
  revision = 0

  /** Several tiers may share `older`, because a log position names the same record in every tier. */
  constructor(bounds: RoomBounds = defaultRoomBounds, older = new OlderViews()) {
    this.#bounds = bounds
    this.#older = older
    this.all = new FrameRing(bounds.all)
  }

  get size(): number {
    return this.#rooms.size
  }

  /** Log position of the newest frame, or 0. */
  get position(): number {
    return this.#position
  }

  /**
   * Log position up to which this tier may show all records. Higher than `position` if list entries have shown that
   * later records are old enough.
   */
  get dueTo(): number {
    return Math.max(this.#dueTo, this.#position)
  }

  get(matchId: MatchId): MatchRoom | undefined {
    return this.#rooms.get(matchId)
  }

  /**
   * For a frame linked to its base. The room of the match computes the views of its newest frame; others are cached or
   * rebuilt.
   */
  viewsOf(frame: Frame): FrameViews {
    const room = this.#rooms.get(frame.matchId)
    const newest = room?.newest === frame ? room.views : undefined
    return newest ?? this.#older.of(frame)
  }

  /** Upcoming, live and recently finished matches, sorted by match number. */
  known(): ReadonlyArray<MatchRoom> {
    return [...this.#rooms.values()].sort((a, b) => byNumber(a.matchId, b.matchId))
  }

  /** Sorted by match number. */
  live(): ReadonlyArray<MatchRoom> {
    return this.known().filter((room) => room.isLive)
  }

  /** Newest frames of one game's matches, ordered by log position: the same objects as in `all`. */
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
   * Returns false if the frame is a duplicate, or if the full state after it cannot be computed; frames of the match
   * are then accepted again from the next keyframe.
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
   * Shows a match as its list entry does. Only for matches whose frames are not read: their rooms have one frame and no
   * followers. Ignores older entries.
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
   * Takes over the matches of rooms that were read up to a log position that all frames here have reached too. The
   * rings of several matches start again, because they lack frames of the new matches.
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

  /** Empties all rooms for another log, in which positions name other records. */
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
   * True if the record was rejected as a duplicate. A server that has lost the ownership of a match appends such
   * records until it detects the loss.
   */
  isRefused(position: number): boolean {
    return this.#refused.has(position)
  }

  /** Removes matches that finished long ago and frames past their maximum age. Returns the ids of removed matches. */
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

  /** Gives each match an equal share of the total limit. */
  #shareBytes(): void {
    const bytes = Math.min(this.#bounds.match.bytes, Math.floor(this.#bounds.totalBytes / this.#rooms.size))
    for (const room of this.#rooms.values()) room.ring.bounds = { ...this.#bounds.match, bytes }
  }
}

const byNumber = (a: MatchId, b: MatchId): number => a.length - b.length || (a < b ? -1 : 1)
