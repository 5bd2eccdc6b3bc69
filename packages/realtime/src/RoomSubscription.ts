/**
 * One room that a client follows. The client receives frames through the room's channel, or first catches up
 * individually. Frames for catching up come from shared rings, so a client needs memory for a position and not for a
 * queue. Once nothing is left to send, it joins its channel in the same turn of the event loop.
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

/** Next item to send. */
export type Piece =
  | { readonly _tag: "Frame"; readonly frame: Frame }
  | { readonly _tag: "Snapshot"; readonly views: FrameViews }
  | { readonly _tag: "Gap"; readonly reason: Gap["reason"]; readonly missing: ReadonlyArray<MissingRange> }

interface RoomPosition {
  readonly epoch: number
  readonly seq: number
}

const nowhere: ReadonlyMap<MatchId, RoomPosition> = new Map()

/** `done`: everything was sent. `waiting`: the next item is not available yet. */
export type Pause = "done" | "waiting"

export class RoomSubscription {
  readonly channel: Channel
  /** Name in messages from and to the client. */
  readonly room: string
  /** Undefined for a room of several matches. */
  readonly matchId: MatchId | undefined
  /** Set if the room contains all matches of one game. */
  readonly game: GameName | undefined
  readonly #edge: Edge
  #live = false
  joinedAtBytes = 0
  /** A followed room that includes this one and sends its frames. Meanwhile, nothing is sent for this one. */
  coveredBy: RoomSubscription | undefined
  /** Older frames are being read from the log. They are sent before all others. */
  reading = false
  #older: Array<Frame> | undefined
  #snapshots: Array<() => FrameViews | undefined> | undefined
  /** Last frame that the client has, for matches that started from a snapshot or a cursor or in which it is behind. */
  #passed: Map<MatchId, RoomPosition> | undefined
  #resumed = false
  /** The client has all frames up to here or does not need them. */
  #position: number
  /** The client has all frames up to here and missed later ones; undefined if it missed none. */
  #skippedFrom: number | undefined

  constructor(edge: Edge, channel: Channel, room: string, matchId: MatchId | undefined, game: GameName | undefined) {
    this.#edge = edge
    this.channel = channel
    this.room = room
    this.game = game
    // Keeps the server's string if there is an equal one. Otherwise every client would keep its own copy in memory.
    this.matchId = matchId === undefined ? undefined : (edge.rooms.get(matchId)?.matchId ?? matchId)
    this.#position = edge.rooms.position
  }

  /** Frames of the room that are still in memory. */
  get ring(): FrameRing | undefined {
    const { rooms } = this.#edge
    if (this.matchId !== undefined) return rooms.get(this.matchId)?.ring
    return this.game === undefined ? rooms.all : rooms.allOf(this.game)
  }

  /** Frames read from the log and not sent yet. */
  get olderLeft(): number {
    return this.#older?.length ?? 0
  }

  /**
   * True if the client, which came from another server, has frames that this one has not received yet. It waits for
   * them.
   */
  get isAhead(): boolean {
    if (this.#position > this.#edge.rooms.position) return true
    for (const [matchId, cursor] of this.#passed ?? []) {
      const newest = this.#edge.rooms.get(matchId)?.newest
      if (newest !== undefined && isAfter(cursor, newest)) return true
    }
    return false
  }

  /** `all` includes every room; the room of a game includes its matches. */
  covers(other: RoomSubscription): boolean {
    if (other === this || this.matchId !== undefined) return false
    return this.room === ALL || (other.matchId !== undefined && gameOfMatch(other.matchId) === this.game)
  }

  /** True while the client receives frames through the channel. */
  get live(): boolean {
    return this.#live
  }

  /** Joining frees what catching up needed, because most clients stay on the channel for hours. */
  set live(live: boolean) {
    this.#live = live
    if (!live) return
    this.#passed = undefined
    this.#older = undefined
    this.#snapshots = undefined
  }

  /** Snapshots of the room's matches first, then every later frame. */
  startWithSnapshots(): void {
    this.#position = this.#edge.rooms.position
    this.#snapshots = this.#matches().map((room) => () => room.views)
  }

  /** Starts again with snapshots and ignores the client's cursor. */
  restart(): void {
    this.#passed = undefined
    this.#older = undefined
    this.startWithSnapshots()
  }

  /** The client already has all frames of this match in another room. Must be called before sending starts. */
  skipSnapshotsOf({ ring }: RoomSubscription): void {
    const newest = ring?.newest
    if (newest !== undefined) this.#pass(newest.matchId, newest)
  }

  /** The frames after the cursor must still be in memory. */
  startAfter(position: number, cursor?: Cursor & { readonly matchId: MatchId }): void {
    this.#position = position
    this.#resumed = true
    this.#rememberPassed()
    if (cursor !== undefined) this.#pass(cursor.matchId, cursor)
  }

  /** Frames from the log, in order. Memory has the frames that follow them. */
  offerOlder(frames: ReadonlyArray<Frame>): void {
    this.#older ??= []
    for (const frame of frames) this.#older.push(frame)
  }

  /** Starts with a snapshot of the state after the frame, followed by every later frame. */
  startWithSnapshotOf(frame: Frame): void {
    this.#snapshots = [() => this.#edge.rooms.viewsOf(frame)]
    this.#position = Math.min(this.#position, frame.position)
  }

  /**
   * The client has missed the frames after `position` and leaves its channel. `catchup` sends them all again,
   * `conflate` only the newest state.
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

  /** The caller must send the item completely before the next call. */
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
    // Frames that the client needs are no longer in the buffer: announce a gap.
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
    // While this client got snapshots, the others of the channel may have received newer frames. It needs them before
    // it joins.
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

  /** Derives the last frame of each match from the client's log position. Must run while these frames are in memory. */
  #rememberPassed(): void {
    for (const { matchId, ring } of this.#matches()) {
      if (ring.droppedTo > this.#position) continue
      const next = ring.at(ring.indexAfter(this.#position))
      const passed = next === undefined ? ring.newest : { epoch: next.epoch, seq: (next.missing?.from ?? next.seq) - 1 }
      if (passed !== undefined && passed.seq > 0) this.#pass(matchId, passed)
    }
  }

  /**
   * If frames before it are missing, announces the gap and queues a snapshot, because the client could not apply the
   * delta.
   */
  #pieceOf(frame: Frame): Piece {
    const { matchId, epoch, missing } = frame
    // The log may have dropped these frames before this server began to read it. A client that resumed from a cursor
    // has them, so no gap is announced.
    const isCursorNext = missing?.from === 1 && this.#resumed && frame.kind !== "kept"
    if (missing === undefined || isCursorNext) return this.#frameOf(frame)
    this.#snapshots = [() => this.#edge.rooms.viewsOf(frame), ...(this.#snapshots ?? [])]
    return { _tag: "Gap", reason: "log", missing: [{ matchId, epoch, ...missing }] }
  }

  /** Stores numbers only: a reference to the frame would keep its bytes in memory while the client is connected. */
  #pass(matchId: MatchId, { epoch, seq }: RoomPosition): void {
    this.#passed ??= new Map()
    this.#passed.set(matchId, { epoch, seq })
  }

  #isNew(frame: Frame): boolean {
    const passed = this.#passed?.get(frame.matchId)
    return passed === undefined || isAfter(frame, passed)
  }

  /** Announces the skipped frames and prepares snapshots of the changed matches, to be sent next. */
  #gap(from: number, to: () => number): Piece | Pause {
    this.#skippedFrom = undefined
    this.#older = undefined
    const changed = this.#matches().filter(({ newest }) => newest !== undefined && newest.position > from)
    this.#position = to()
    // The snapshots show this moment, and every later frame is sent. The announcement thus covers all that the client
    // misses.
    this.#snapshots = changed.flatMap(({ newest }) => (newest === undefined ? [] : [() => this.#edge.rooms.viewsOf(newest)]))
    const missing = changed.flatMap((room) => missingAfter(room, this.#passed?.get(room.matchId)))
    return missing.length === 0 ? this.next() : { _tag: "Gap", reason: "slow", missing }
  }

  /**
   * Includes matches that are not live: they may still get a frame, which a client can apply only to the preceding
   * state.
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

/** Ends with the newest frame, whose state is sent as a snapshot. Starts at 1 if it is unknown what the client has. */
const missingAfter = ({ matchId, newest }: MatchRoom, passed: RoomPosition | undefined): ReadonlyArray<MissingRange> => {
  if (newest === undefined) return []
  const from = passed?.epoch === newest.epoch ? passed.seq + 1 : 1
  return from > newest.seq ? [] : [{ matchId, epoch: newest.epoch, from, to: newest.seq }]
}
