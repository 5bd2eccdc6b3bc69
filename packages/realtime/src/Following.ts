/**
 * One room that a client follows: live on its channel, or catching up. Frames to send are read from the rings of the
 * edge, so a client costs a position and not a queue. It joins its channel in the same turn in which nothing is left to
 * send.
 */
import type { Cursor } from "@matchpoint/contracts/stream/cursors"
import type { Gap, MissingRange } from "@matchpoint/contracts/stream/messages"
import { ALL } from "@matchpoint/contracts/stream/rooms"
import { type GameName, gameOfMatch, type MatchId } from "@matchpoint/domain/ids"
import type { Channel } from "./Channel.ts"
import type { Edge } from "./Edge.ts"
import { type Frame, isAfter } from "./Frame.ts"
import type { FrameRing } from "./FrameRing.ts"
import type { MatchRoom } from "./MatchRoom.ts"
import type { Views } from "./Views.ts"

/** The next thing to send: a frame, a snapshot or the announcement of a gap. */
export type Piece =
  | { readonly _tag: "Frame"; readonly frame: Frame }
  | { readonly _tag: "Snapshot"; readonly views: Views }
  | { readonly _tag: "Gap"; readonly reason: Gap["reason"]; readonly missing: ReadonlyArray<MissingRange> }

interface Place {
  readonly epoch: number
  readonly seq: number
}

const nowhere: ReadonlyMap<MatchId, Place> = new Map()

/** Reason why there is no next piece. `done`: everything was sent. `waiting`: the next piece is not available yet. */
export type Pause = "done" | "waiting"

export class Following {
  readonly channel: Channel
  /** Room name that the client uses. */
  readonly room: string
  /** The only match of the room; undefined for a room of several matches. */
  readonly matchId: MatchId | undefined
  /** In a room of several matches, the game they belong to; undefined for all games. */
  readonly game: GameName | undefined
  readonly #edge: Edge
  #live = false
  /**
   * A wider room that includes this one and that the client also follows. While it is set, nothing is sent for this
   * room.
   */
  shadedBy: Following | undefined
  /** True while older frames are being read from the log. They are sent before all others. */
  reading = false
  #older: Array<Frame> | undefined
  #snapshots: Array<() => Views | undefined> | undefined
  /**
   * Last frame that the client has, by match. Holds only the matches for which it is needed: those with a snapshot or a
   * cursor, and those in which the client is behind.
   */
  #passed: Map<MatchId, Place> | undefined
  #resumed = false
  /** Position up to which frames need not be sent. */
  #position: number
  /** If the client skipped frames: the position up to which it has them. */
  #skippedFrom: number | undefined

  constructor(edge: Edge, channel: Channel, room: string, matchId: MatchId | undefined, game: GameName | undefined) {
    this.#edge = edge
    this.channel = channel
    this.room = room
    this.game = game
    // The edge's string for the id is shared. Otherwise every client would hold the string that it sent.
    this.matchId = matchId === undefined ? undefined : (edge.rooms.get(matchId)?.matchId ?? matchId)
    this.#position = edge.rooms.position
  }

  /** Frames of the room that the edge still has. */
  get ring(): FrameRing | undefined {
    const { rooms } = this.#edge
    if (this.matchId !== undefined) return rooms.get(this.matchId)?.ring
    return this.game === undefined ? rooms.all : rooms.allOf(this.game)
  }

  /** Number of frames read from the log that wait to be sent. */
  get olderLeft(): number {
    return this.#older?.length ?? 0
  }

  /**
   * True if the client has frames that this edge does not have yet. This happens when it comes from another edge; it
   * then waits.
   */
  get isAhead(): boolean {
    if (this.#position > this.#edge.rooms.position) return true
    for (const [matchId, cursor] of this.#passed ?? []) {
      const newest = this.#edge.rooms.get(matchId)?.newest
      if (newest !== undefined && isAfter(cursor, newest)) return true
    }
    return false
  }

  /**
   * Returns true if this room includes the other one. `all` includes every room; the room of a game includes its
   * matches.
   */
  covers(other: Following): boolean {
    if (other === this || this.matchId !== undefined) return false
    return this.room === ALL || (other.matchId !== undefined && gameOfMatch(other.matchId) === this.game)
  }

  /** True while the client is on its channel. */
  get live(): boolean {
    return this.#live
  }

  /**
   * Set when the client joins or leaves its channel. Joining frees the state for catching up, because most clients are
   * live for hours.
   */
  set live(live: boolean) {
    this.#live = live
    if (!live) return
    this.#passed = undefined
    this.#older = undefined
    this.#snapshots = undefined
  }

  /** Starts with snapshots of the room's matches. Every later frame follows. */
  startWithSnapshots(): void {
    this.#position = this.#edge.rooms.position
    this.#snapshots = this.#matches().map((room) => () => room.views)
  }

  /** Starts again with snapshots, whatever cursor the client had. */
  restart(): void {
    this.#passed = undefined
    this.#older = undefined
    this.startWithSnapshots()
  }

  /**
   * Records that the client has everything of another room, so that this one sends no snapshot of it. Call it before
   * the start.
   */
  begunWith({ ring }: Following): void {
    const newest = ring?.newest
    if (newest !== undefined) this.#pass(newest.matchId, newest)
  }

  /** Starts after a cursor, with frames from the ring. */
  startAfter(position: number, cursor?: Cursor & { readonly matchId: MatchId }): void {
    this.#position = position
    this.#resumed = true
    this.#rememberPassed()
    if (cursor !== undefined) this.#pass(cursor.matchId, cursor)
  }

  /** Adds frames read from the log, in order. The frames after them come from the ring. */
  offerOlder(frames: ReadonlyArray<Frame>): void {
    this.#older ??= []
    this.#older.push(...frames)
  }

  /** Starts with the snapshot of one frame. The frames after it follow. */
  startWithSnapshotOf(frame: Frame): void {
    this.#snapshots = [() => this.#edge.rooms.viewsOf(frame)]
    this.#position = Math.min(this.#position, frame.position)
  }

  /**
   * Takes the client off its channel, because it missed the frames after the position. `catchup` sends all of them
   * again, `conflate` only the newest.
   */
  fallBehind(position: number, policy: "conflate" | "catchup"): void {
    this.#live = false
    this.#passed = undefined
    this.#snapshots = undefined
    this.#position = Math.min(position, this.#edge.rooms.position)
    if (typeof this.channel.pace === "number") return
    this.#rememberPassed()
    if (policy === "conflate") this.#skippedFrom = this.#position
  }

  /** Returns the next piece to send. The caller must send all of it before the next call. */
  next(): Piece | Pause {
    if (this.#skippedFrom !== undefined) return this.#gap(this.#skippedFrom, () => this.#edge.rooms.position)
    if (typeof this.channel.pace === "number") return this.#nextConflated()
    const snapshot = this.#nextSnapshot()
    if (snapshot !== undefined) return snapshot
    const older = this.#nextOlder()
    if (older !== undefined) return older
    if (this.reading) return "waiting"
    const { ring } = this
    if (ring === undefined) return "done"
    // The ring has dropped frames that the client still needs.
    if (ring.droppedTo > this.#position) return this.#gap(this.#position, () => this.#edge.rooms.position)
    for (let index = ring.indexAfter(this.#position); index < ring.size; index++) {
      const frame = ring.at(index)
      if (frame === undefined) break
      this.#position = frame.position
      if (this.#isNew(frame)) return this.#pieceOf(frame)
    }
    return this.isAhead ? "waiting" : "done"
  }

  #nextConflated(): Piece | Pause {
    const conflation = this.#edge.conflationOf(this.channel)
    if (conflation === undefined) return "done"
    const snapshot = this.#nextSnapshot()
    if (snapshot !== undefined) return snapshot
    // Other followers may have received more while the snapshots were sent.
    const [behind] = conflation.behind(this.#passed ?? nowhere)
    return behind === undefined ? "done" : this.#snapshotOf(behind)
  }

  #nextSnapshot(): Piece | undefined {
    for (let make = this.#snapshots?.shift(); make !== undefined; make = this.#snapshots?.shift()) {
      const newest = make()
      if (newest === undefined) continue
      const conflation = this.#edge.conflationOf(this.channel)
      const views = conflation === undefined ? newest : conflation.begin(newest)
      if (views !== undefined && this.#isNew(views.frame)) return this.#snapshotOf(views)
    }
    return undefined
  }

  #snapshotOf(views: Views): Piece {
    this.#pass(views.frame.matchId, views.frame)
    return { _tag: "Snapshot", views }
  }

  #nextOlder(): Piece | undefined {
    for (let frame = this.#older?.shift(); frame !== undefined; frame = this.#older?.shift()) {
      this.#position = frame.position
      if (this.#isNew(frame)) return this.#pieceOf(frame)
    }
    return undefined
  }

  #frameOf(frame: Frame): Piece {
    this.#pass(frame.matchId, frame)
    return { _tag: "Frame", frame }
  }

  /**
   * Derives from the client's position its last frame in each match. Must run while the rings still have these frames.
   */
  #rememberPassed(): void {
    for (const { matchId, ring } of this.#matches()) {
      if (ring.droppedTo > this.#position) continue
      const next = ring.at(ring.indexAfter(this.#position))
      const passed = next === undefined ? ring.newest : { epoch: next.epoch, seq: (next.missing?.from ?? next.seq) - 1 }
      if (passed !== undefined && passed.seq > 0) this.#pass(matchId, passed)
    }
  }

  /**
   * Returns the frame. After missing frames it announces them instead and queues a snapshot, because a delta would have
   * no base.
   */
  #pieceOf(frame: Frame): Piece {
    const { matchId, epoch, missing } = frame
    // If a client resumed from a cursor, it has the frames that the log dropped before this edge began to read.
    const isCursorNext = missing?.from === 1 && this.#resumed && frame.kind !== "kept"
    if (missing === undefined || isCursorNext) return this.#frameOf(frame)
    this.#snapshots = [() => this.#edge.rooms.viewsOf(frame), ...(this.#snapshots ?? [])]
    return { _tag: "Gap", reason: "log", missing: [{ matchId, epoch, ...missing }] }
  }

  /**
   * Stores the numbers rather than the frame, whose bytes would otherwise stay in memory as long as the client is
   * connected.
   */
  #pass(matchId: MatchId, { epoch, seq }: Place): void {
    this.#passed ??= new Map()
    this.#passed.set(matchId, { epoch, seq })
  }

  #isNew(frame: Frame): boolean {
    const passed = this.#passed?.get(frame.matchId)
    return passed === undefined || isAfter(frame, passed)
  }

  /** Announces the skipped frames and queues snapshots of their matches. */
  #gap(from: number, to: () => number): Piece | Pause {
    this.#skippedFrom = undefined
    this.#older = undefined
    const changed = this.#matches().filter(({ newest }) => newest !== undefined && newest.position > from)
    this.#position = to()
    // Snapshots are taken at this moment. The frames after them follow, so nothing in between needs an announcement.
    this.#snapshots = changed.map(
      ({ views }) =>
        () =>
          views,
    )
    const missing = changed.flatMap((room) => missingAfter(room, this.#passed?.get(room.matchId)))
    return missing.length === 0 ? this.next() : { _tag: "Gap", reason: "slow", missing }
  }

  /**
   * Returns the matches of the room, including those that are not live. The client may get a next frame of any of them
   * and then needs its base.
   */
  #matches(): ReadonlyArray<MatchRoom> {
    const { rooms } = this.#edge
    const { game } = this
    if (this.matchId === undefined)
      return game === undefined ? rooms.known() : rooms.known().filter((room) => gameOfMatch(room.matchId) === game)
    const room = rooms.get(this.matchId)
    return room === undefined ? [] : [room]
  }
}

/**
 * Returns the missing frames from the client's place to the newest frame, which is sent as a snapshot. If the place is
 * unknown, the range starts at 1.
 */
const missingAfter = ({ matchId, newest }: MatchRoom, passed: Place | undefined): ReadonlyArray<MissingRange> => {
  if (newest === undefined) return []
  const from = passed?.epoch === newest.epoch ? passed.seq + 1 : 1
  return from > newest.seq ? [] : [{ matchId, epoch: newest.epoch, from, to: newest.seq }]
}
