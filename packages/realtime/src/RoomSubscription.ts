/**
 * One room (set of matches) that a client follows. The client either receives frames through the room's channel,
 * together with other clients, or first catches up individually. Frames for catching up are read from shared buffers
 * (rings), so a client needs memory for a position and not for a queue. As soon as nothing is left to send, the client
 * joins its channel, in the same turn of the event loop.
 */
import type { Cursor } from "@matchpoint/contracts/stream/cursors"
import type { Gap, MissingRange } from "@matchpoint/contracts/stream/messages"
import { ALL } from "@matchpoint/contracts/stream/rooms"
import { type GameName, gameOfMatch, type MatchId } from "@matchpoint/domain/ids"
import type { Channel } from "./Channel.ts"
import type { Edge } from "./Edge.ts"
import { type Frame, isAfter } from "./Frame.ts"
import type { FrameRing } from "./FrameRing.ts"
import type { FrameViews } from "./FrameViews.ts"
import type { MatchRoom } from "./MatchRoom.ts"

/** The next item to send to the client: a frame, a snapshot or the announcement of a gap. */
export type Piece =
  | { readonly _tag: "Frame"; readonly frame: Frame }
  | { readonly _tag: "Snapshot"; readonly views: FrameViews }
  | { readonly _tag: "Gap"; readonly reason: Gap["reason"]; readonly missing: ReadonlyArray<MissingRange> }

interface RoomPosition {
  readonly epoch: number
  readonly seq: number
}

const nowhere: ReadonlyMap<MatchId, RoomPosition> = new Map()

/**
 * Reason why there is nothing to send to the client now. `done` means that everything was sent; `waiting` means that
 * the next item is not available yet.
 */
export type Pause = "done" | "waiting"

export class RoomSubscription {
  readonly channel: Channel
  /** Name of the room in messages from and to the client. */
  readonly room: string
  /** The match, if the room contains a single match; undefined for a room of several matches. */
  readonly matchId: MatchId | undefined
  /** The game, if the room contains all matches of one game; undefined for other rooms. */
  readonly game: GameName | undefined
  readonly #edge: Edge
  #live = false
  /** `socketBytes` of the channel when the client joined it. */
  joinedAtBytes = 0
  /**
   * Another room that the client follows and that includes this one. While this field is set, nothing is sent for this
   * room, because the other room sends the same frames.
   */
  coveredBy: RoomSubscription | undefined
  /** True while older frames are being read from the log. These frames are sent before all others. */
  reading = false
  #older: Array<Frame> | undefined
  #snapshots: Array<() => FrameViews | undefined> | undefined
  /**
   * For some matches, the last frame that the client has. There are entries only for matches that were started from a
   * snapshot or a cursor, and for matches in which the client is behind.
   */
  #passed: Map<MatchId, RoomPosition> | undefined
  #resumed = false
  /** Log position up to which nothing remains to be sent: the client has these frames or does not need them. */
  #position: number
  /**
   * Log position after which frames were skipped; undefined if none were. The client has all frames up to this
   * position.
   */
  #skippedFrom: number | undefined

  constructor(edge: Edge, channel: Channel, room: string, matchId: MatchId | undefined, game: GameName | undefined) {
    this.#edge = edge
    this.channel = channel
    this.room = room
    this.game = game
    // If the server already holds an equal match id string, that string is stored. Otherwise every client would keep
    // its own copy in memory.
    this.matchId = matchId === undefined ? undefined : (edge.rooms.get(matchId)?.matchId ?? matchId)
    this.#position = edge.rooms.position
  }

  /** Frames of the room that are still in memory. */
  get ring(): FrameRing | undefined {
    const { rooms } = this.#edge
    if (this.matchId !== undefined) return rooms.get(this.matchId)?.ring
    return this.game === undefined ? rooms.all : rooms.allOf(this.game)
  }

  /** Number of frames that were read from the log and not sent yet. */
  get olderLeft(): number {
    return this.#older?.length ?? 0
  }

  /**
   * True if the client has frames that this server has not received yet. This happens if the client was connected to
   * another server before. The client then waits until this server has caught up.
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
   * Returns true if this room includes the other room. The room `all` includes every room; the room of a game includes
   * the matches of that game.
   */
  covers(other: RoomSubscription): boolean {
    if (other === this || this.matchId !== undefined) return false
    return this.room === ALL || (other.matchId !== undefined && gameOfMatch(other.matchId) === this.game)
  }

  /** True while the client receives the room's frames through its channel. */
  get live(): boolean {
    return this.#live
  }

  /**
   * Set to true when the client joins its channel and to false when it leaves it. On joining, the data that was needed
   * for catching up is freed, because most clients stay on the channel for hours.
   */
  set live(live: boolean) {
    this.#live = live
    if (!live) return
    this.#passed = undefined
    this.#older = undefined
    this.#snapshots = undefined
  }

  /** Starts sending: snapshots of the room's matches first, then every later frame. */
  startWithSnapshots(): void {
    this.#position = this.#edge.rooms.position
    this.#snapshots = this.#matches().map((room) => () => room.views)
  }

  /** Starts again with snapshots of the room's matches. The client's cursor is ignored. */
  restart(): void {
    this.#passed = undefined
    this.#older = undefined
    this.startWithSnapshots()
  }

  /**
   * Records that the client already has all frames of the match in another room, so that no snapshot of this match is
   * sent. Must be called before sending starts.
   */
  skipSnapshotsOf({ ring }: RoomSubscription): void {
    const newest = ring?.newest
    if (newest !== undefined) this.#pass(newest.matchId, newest)
  }

  /** Starts sending with the frames after the client's cursor, which must still be in memory. */
  startAfter(position: number, cursor?: Cursor & { readonly matchId: MatchId }): void {
    this.#position = position
    this.#resumed = true
    this.#rememberPassed()
    if (cursor !== undefined) this.#pass(cursor.matchId, cursor)
  }

  /** Adds frames that were read from the log, in order. The frames that follow them are read from memory. */
  offerOlder(frames: ReadonlyArray<Frame>): void {
    this.#older ??= []
    for (const frame of frames) this.#older.push(frame)
  }

  /** Starts sending with a snapshot of the state after the given frame, followed by every later frame. */
  startWithSnapshotOf(frame: Frame): void {
    this.#snapshots = [() => this.#edge.rooms.viewsOf(frame)]
    this.#position = Math.min(this.#position, frame.position)
  }

  /**
   * Called when the client has missed the frames after the log position `position`. Removes the client from its
   * channel. With the policy `catchup`, all missed frames are then sent again; with `conflate`, only the newest state.
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

  /**
   * Returns the next item to send, or the reason why there is none. The caller must send the item completely before the
   * next call.
   */
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
    // At this point, the buffer no longer contains frames that the client needs, so they are announced as a gap.
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
    const conflation = this.#edge.channels.conflations.get(this.channel)
    if (conflation === undefined) return "done"
    const snapshot = this.#nextSnapshot()
    if (snapshot !== undefined) return snapshot
    // While the snapshots were being sent to this client, the other clients of the channel may have received newer
    // frames. This client must get them too before it joins the channel.
    const [behind] = conflation.behind(this.#passed ?? nowhere)
    return behind === undefined ? "done" : this.#snapshotOf(behind)
  }

  #nextSnapshot(): Piece | undefined {
    for (let make = this.#snapshots?.shift(); make !== undefined; make = this.#snapshots?.shift()) {
      const newest = make()
      if (newest === undefined) continue
      const conflation = this.#edge.channels.conflations.get(this.channel)
      const views = conflation === undefined ? newest : conflation.begin(newest)
      if (views !== undefined && this.#isNew(views.frame)) return this.#snapshotOf(views)
    }
    return undefined
  }

  #snapshotOf(views: FrameViews): Piece {
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
   * Records, for each match, the last frame that the client has, which follows from the client's log position. Must run
   * while these frames are still in memory.
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
   * Returns the frame as the next item. If frames before it are missing, returns the announcement of the gap instead
   * and queues a snapshot, because the client could not apply the frame's delta.
   */
  #pieceOf(frame: Frame): Piece {
    const { matchId, epoch, missing } = frame
    // The log may have dropped the frames before this one before this server began to read it. In that case a client
    // that resumed from a cursor already has those frames, so no gap is announced.
    const isCursorNext = missing?.from === 1 && this.#resumed && frame.kind !== "kept"
    if (missing === undefined || isCursorNext) return this.#frameOf(frame)
    this.#snapshots = [() => this.#edge.rooms.viewsOf(frame), ...(this.#snapshots ?? [])]
    return { _tag: "Gap", reason: "log", missing: [{ matchId, epoch, ...missing }] }
  }

  /**
   * Records which frame the client received last. Stores only the frame's epoch and sequence number, because a
   * reference to the frame would keep its bytes in memory while the client is connected.
   */
  #pass(matchId: MatchId, { epoch, seq }: RoomPosition): void {
    this.#passed ??= new Map()
    this.#passed.set(matchId, { epoch, seq })
  }

  #isNew(frame: Frame): boolean {
    const passed = this.#passed?.get(frame.matchId)
    return passed === undefined || isAfter(frame, passed)
  }

  /**
   * Returns the announcement of the skipped frames, and prepares snapshots of the matches that have changed, to be sent
   * next.
   */
  #gap(from: number, to: () => number): Piece | Pause {
    this.#skippedFrom = undefined
    this.#older = undefined
    const changed = this.#matches().filter(({ newest }) => newest !== undefined && newest.position > from)
    this.#position = to()
    // The snapshots show the matches as they are at this moment, and every later frame will be sent. The announcement
    // therefore covers all frames that the client misses.
    this.#snapshots = changed.flatMap(({ newest }) => (newest === undefined ? [] : [() => this.#edge.rooms.viewsOf(newest)]))
    const missing = changed.flatMap((room) => missingAfter(room, this.#passed?.get(room.matchId)))
    return missing.length === 0 ? this.next() : { _tag: "Gap", reason: "slow", missing }
  }

  /**
   * Returns the matches of the room, including those that are not live. A match that is not live may still get another
   * frame, and a client can apply that frame only if it has the preceding state.
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
 * Returns the range of frames that the client is missing, up to the newest frame, whose state is sent as a snapshot. If
 * it is unknown which frames the client has, the range starts at 1.
 */
const missingAfter = ({ matchId, newest }: MatchRoom, passed: RoomPosition | undefined): ReadonlyArray<MissingRange> => {
  if (newest === undefined) return []
  const from = passed?.epoch === newest.epoch ? passed.seq + 1 : 1
  return from > newest.seq ? [] : [{ matchId, epoch: newest.epoch, from, to: newest.seq }]
}
