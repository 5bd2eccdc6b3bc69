/**
 * One room that a client follows: live on its channel, or catching up towards it. What there is to send is pulled from the rings of the
 * edge, so that a client costs a position and not a queue; a client is put on its channel in the turn in which nothing is left.
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

/** The next thing to send. */
export type Piece =
  | { readonly _tag: "Frame"; readonly frame: Frame }
  | { readonly _tag: "Snapshot"; readonly views: Views }
  | { readonly _tag: "Gap"; readonly reason: Gap["reason"]; readonly missing: ReadonlyArray<MissingRange> }

interface Place {
  readonly epoch: number
  readonly seq: number
}

const nowhere: ReadonlyMap<MatchId, Place> = new Map()

/** Why there is no next piece: all is sent, or it has to come first. */
export type Pause = "done" | "waiting"

export class Following {
  readonly channel: Channel
  /** The room as its client calls it. */
  readonly room: string
  /** Undefined: every match. */
  readonly matchId: MatchId | undefined
  /** Of every match, those of this game; undefined: of every game. */
  readonly game: GameName | undefined
  readonly #edge: Edge
  #live = false
  /** A wider room that the client follows, too, and this one is part of: nothing is sent here. */
  shadedBy: Following | undefined
  /** Older frames are being read from the log; they come before everything else. */
  reading = false
  #older: Array<Frame> | undefined
  #snapshots: Array<() => Views | undefined> | undefined
  /** Where the client is, as far as it matters: in matches that it has a snapshot of, came with a cursor for, or is behind in. */
  #passed: Map<MatchId, Place> | undefined
  #resumed = false
  /** Frames up to here need not be sent. */
  #position: number
  /** Set while the client skipped frames: up to where it had them. */
  #skippedFrom: number | undefined

  constructor(edge: Edge, channel: Channel, room: string, matchId: MatchId | undefined, game: GameName | undefined) {
    this.#edge = edge
    this.channel = channel
    this.room = room
    this.game = game
    // The edge's own text of the id, or each client would keep the one that it has sent.
    this.matchId = matchId === undefined ? undefined : (edge.rooms.get(matchId)?.matchId ?? matchId)
    this.#position = edge.rooms.position
  }

  /** Frames of the room that the edge still has. */
  get ring(): FrameRing | undefined {
    const { rooms } = this.#edge
    if (this.matchId !== undefined) return rooms.get(this.matchId)?.ring
    return this.game === undefined ? rooms.all : rooms.allOf(this.game)
  }

  /** Frames read from the log that wait to be sent. */
  get olderLeft(): number {
    return this.#older?.length ?? 0
  }

  /** A client may be ahead of this edge, when it comes from another: it waits until we are there. */
  get isAhead(): boolean {
    if (this.#position > this.#edge.rooms.position) return true
    for (const [matchId, cursor] of this.#passed ?? []) {
      const newest = this.#edge.rooms.get(matchId)?.newest
      if (newest !== undefined && isAfter(cursor, newest)) return true
    }
    return false
  }

  /** Whether everything in the other room is in this one: in `all` every room's, in that of a game its matches'. */
  covers(other: Following): boolean {
    if (other === this || this.matchId !== undefined) return false
    return this.room === ALL || (other.matchId !== undefined && gameOfMatch(other.matchId) === this.game)
  }

  /** The client is on its channel. */
  get live(): boolean {
    return this.#live
  }

  /** Put on its channel, or taken off it. What only matters on the way there is not kept: most clients are live, for hours. */
  set live(live: boolean) {
    this.#live = live
    if (!live) return
    this.#passed = undefined
    this.#older = undefined
    this.#snapshots = undefined
  }

  /** Begin with snapshots of what the room holds, then every frame. */
  startWithSnapshots(): void {
    this.#position = this.#edge.rooms.position
    this.#snapshots = this.#matches().map((room) => () => room.views)
  }

  /** Begin with snapshots whatever cursor the client came with. */
  restart(): void {
    this.#passed = undefined
    this.#older = undefined
    this.startWithSnapshots()
  }

  /** The client has had everything of another room, so that no snapshot of it is needed. To be called before the start. */
  begunWith({ ring }: Following): void {
    const newest = ring?.newest
    if (newest !== undefined) this.#pass(newest.matchId, newest)
  }

  /** Go on after a cursor from the ring. */
  startAfter(position: number, cursor?: Cursor & { readonly matchId: MatchId }): void {
    this.#position = position
    this.#resumed = true
    this.#rememberPassed()
    if (cursor !== undefined) this.#pass(cursor.matchId, cursor)
  }

  /** Frames from the log, in order; frames after them come from the ring. */
  offerOlder(frames: ReadonlyArray<Frame>): void {
    this.#older ??= []
    this.#older.push(...frames)
  }

  /** Begin with the snapshot of one frame, which goes on as frames. */
  startWithSnapshotOf(frame: Frame): void {
    this.#snapshots = [() => this.#edge.rooms.viewsOf(frame)]
    this.#position = Math.min(this.#position, frame.position)
  }

  /** Back from the channel: frames after the position were not taken. Every one of them will be sent again, or the newest only. */
  fallBehind(position: number, policy: "conflate" | "catchup"): void {
    this.#live = false
    this.#passed = undefined
    this.#snapshots = undefined
    this.#position = Math.min(position, this.#edge.rooms.position)
    if (typeof this.channel.pace === "number") return
    this.#rememberPassed()
    if (policy === "conflate") this.#skippedFrom = this.#position
  }

  /** What to send now. The caller sends it, all of it, before it asks again. */
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
    // The ring has moved on past frames that the client still needs.
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
    // While the snapshots were sent, followers may have been told more.
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

  /** While the rings still have it: where the client is in each match that has gone on since its position. */
  #rememberPassed(): void {
    for (const { matchId, ring } of this.#matches()) {
      if (ring.droppedTo > this.#position) continue
      const next = ring.at(ring.indexAfter(this.#position))
      const passed = next === undefined ? ring.newest : { epoch: next.epoch, seq: (next.missing?.from ?? next.seq) - 1 }
      if (passed !== undefined && passed.seq > 0) this.#pass(matchId, passed)
    }
  }

  /** After a hole in the log a snapshot, since a delta would have nothing to go on. */
  #pieceOf(frame: Frame): Piece {
    const { matchId, epoch, missing } = frame
    // A client that came with a cursor has what the log had before this edge began to read it.
    const isCursorNext = missing?.from === 1 && this.#resumed && frame.kind !== "kept"
    if (missing === undefined || isCursorNext) return this.#frameOf(frame)
    this.#snapshots = [() => this.#edge.rooms.viewsOf(frame), ...(this.#snapshots ?? [])]
    return { _tag: "Gap", reason: "log", missing: [{ matchId, epoch, ...missing }] }
  }

  /** Keeps the numbers and not the frame, whose bytes would stay for as long as the client does. */
  #pass(matchId: MatchId, { epoch, seq }: Place): void {
    this.#passed ??= new Map()
    this.#passed.set(matchId, { epoch, seq })
  }

  #isNew(frame: Frame): boolean {
    const passed = this.#passed?.get(frame.matchId)
    return passed === undefined || isAfter(frame, passed)
  }

  /** Announces what is skipped; snapshots of these matches are next. */
  #gap(from: number, to: () => number): Piece | Pause {
    this.#skippedFrom = undefined
    this.#older = undefined
    const changed = this.#matches().filter(({ newest }) => newest !== undefined && newest.position > from)
    this.#position = to()
    // As they are now: frames after them follow, and nothing in between has to be announced.
    this.#snapshots = changed.map(
      ({ views }) =>
        () =>
          views,
    )
    const missing = changed.flatMap((room) => missingAfter(room, this.#passed?.get(room.matchId)))
    return missing.length === 0 ? this.next() : { _tag: "Gap", reason: "slow", missing }
  }

  /** Those that are not live as well: whoever will be sent a match's next frame must know what it goes on from. */
  #matches(): ReadonlyArray<MatchRoom> {
    const { rooms } = this.#edge
    const { game } = this
    if (this.matchId === undefined)
      return game === undefined ? rooms.known() : rooms.known().filter((room) => gameOfMatch(room.matchId) === game)
    const room = rooms.get(this.matchId)
    return room === undefined ? [] : [room]
  }
}

/** From the frame after the client's to the newest, which comes as a snapshot. Where the client is nobody knows any more: from the first. */
const missingAfter = ({ matchId, newest }: MatchRoom, passed: Place | undefined): ReadonlyArray<MissingRange> => {
  if (newest === undefined) return []
  const from = passed?.epoch === newest.epoch ? passed.seq + 1 : 1
  return from > newest.seq ? [] : [{ matchId, epoch: newest.epoch, from, to: newest.seq }]
}
