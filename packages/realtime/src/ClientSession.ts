/**
 * One client of the live streams, over any transport: the rooms (sets of matches) that it follows, its position in
 * each, and the handling of slow clients. Plain callbacks, because they run inside the native event loop. Owns no
 * socket: the transport provides a `SessionConnection`.
 */
import { type Cursor, type FullCursor, formatCursor } from "@matchpoint/contracts/stream/cursors"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import type { ControlMessage, MissingRange, Reconnect, Resumed, SlowPolicy } from "@matchpoint/contracts/stream/messages"
import { ALL, allOf } from "@matchpoint/contracts/stream/rooms"
import { type GameName, gameOfMatch, type MatchId } from "@matchpoint/domain/ids"
import type { Pace } from "./Channel.ts"
import type { Edge } from "./Edge.ts"
import { FollowedRooms } from "./FollowedRooms.ts"
import type { Frame } from "./Frame.ts"
import type { FrameViews } from "./FrameViews.ts"
import { framePositionOf } from "./framePosition.ts"
import { RoomSubscription } from "./RoomSubscription.ts"
import type { OlderFrames, SessionConnection } from "./SessionConnection.ts"

/**
 * If a client's cursor is ahead of the server's newest frame for longer, it is treated as one of a different history.
 */
const AHEAD_AT_MOST_MS = 10_000

export class ClientSession {
  readonly edge: Edge
  /** Undefined if the client may see all games. */
  readonly game: GameName | undefined
  readonly shape: Shape
  readonly pace: Pace
  readonly #outlet: SessionConnection
  readonly #policy: SlowPolicy
  readonly #older: OlderFrames
  readonly #now: () => number
  readonly #followed = new FollowedRooms()
  /** Rooms from which nothing has been sent yet, with their resume cursors. */
  #fresh: Map<RoomSubscription, Cursor | undefined> | undefined
  /**
   * Log position up to which all frames had been sent when the first control message was dropped because the client was
   * slow. Undefined if none was dropped since the connection last accepted data.
   */
  #skippedAt: number | undefined
  #stopAwaiting: (() => void) | undefined
  #pumping = false
  /** Undefined if the send buffer of the connection is not full. */
  #stuckSince: number | undefined
  /** Start of the wait for this server to reach the client's cursor. */
  #aheadSince: number | undefined
  /** Bytes published in channels that the client has left. */
  #publishedBefore = 0

  constructor(options: {
    readonly edge: Edge
    readonly game?: GameName
    readonly outlet: SessionConnection
    readonly shape: Shape
    readonly pace: Pace
    readonly policy: SlowPolicy
    readonly older: OlderFrames
    /** Epoch milliseconds. */
    readonly now: () => number
  }) {
    this.edge = options.edge
    this.game = options.game
    this.shape = options.shape
    this.pace = options.pace
    this.#outlet = options.outlet
    this.#policy = options.policy
    this.#older = options.older
    this.#now = options.now
  }

  get rooms(): Pick<FollowedRooms, "get" | "has" | "size"> {
    return this.#followed
  }

  /** Over channels of WebSockets. Never decreases. */
  get publishedBytes(): number {
    let total = this.#publishedBefore
    for (const { channel, joinedAtBytes, live } of this.#followed.values()) if (live) total += channel.socketBytes - joinedAtBytes
    return total
  }

  mayFollow(matchId: MatchId): boolean {
    return (this.game === undefined || gameOfMatch(matchId) === this.game) && this.edge.rooms.get(matchId) !== undefined
  }

  /**
   * Sending starts at the next call of `begin`: with the frames after the cursor, or with snapshots if there is none. A
   * room that the client already follows is restarted. If `ofGame` is set, the room contains every match of that game.
   */
  enter(room: string, matchId: MatchId | undefined, shape: Shape, pace: Pace, cursor: Cursor | undefined, ofGame?: GameName): void {
    this.#leave(room)
    const game = matchId === undefined ? (ofGame ?? this.game) : undefined
    const channel = this.edge.channels.open(game === undefined ? room : allOf(game), shape, pace)
    const following = new RoomSubscription(this.edge, channel, room, matchId, game)
    following.channel.members += 1
    this.#followed.add(following)
    this.#fresh ??= new Map()
    this.#fresh.set(following, cursor)
  }

  /**
   * The room starts again with snapshots at the next call of `begin`. Returns false if the client does not follow it.
   */
  resync(room: string): boolean {
    const following = this.#followed.get(room)
    if (following === undefined) return false
    // Frames held back for a batch go first: a snapshot does not contain their events.
    this.edge.flush()
    this.enter(room, following.matchId, following.channel.shape, following.channel.pace, undefined, following.game)
    return true
  }

  /** Returns false if the client did not follow the room. */
  unfollow(room: string): boolean {
    const following = this.#followed.get(room)
    if (following === undefined) return false
    const servedTo = following.live && typeof following.channel.pace !== "number" ? this.edge.servedTo(following.channel.pace) : undefined
    this.#leave(room)
    this.#uncoverRooms(following, servedTo)
    return true
  }

  /**
   * Starts sending the frames of the rooms that were entered. A single-match room that a larger followed room includes
   * sends nothing, so that each frame is sent once.
   */
  begin(): void {
    for (const wide of this.#wideRooms()) this.#coverRooms(wide)
    for (const [following, cursor] of this.#fresh ?? []) {
      if (following.coveredBy !== undefined) continue
      this.#fresh?.delete(following)
      if (cursor === undefined) following.startWithSnapshots()
      // A channel that conflates frames keeps no past frames: the client restarts with the newest state.
      else if (typeof following.channel.pace === "number") this.reset(following)
      else this.#resume(following, cursor)
    }
    if (this.#fresh?.size === 0) this.#fresh = undefined
    this.pump()
  }

  /** Sends all frames that are due, until the send buffer is full. */
  pump(): void {
    if (this.#pumping) return
    this.#pumping = true
    let waiting = false
    for (const following of this.#followed.values()) {
      if (following.live || following.coveredBy !== undefined || this.#fresh?.has(following) === true) continue
      if (this.#catchUp(following) === "waiting") waiting = true
    }
    this.#await(waiting)
    this.#pumping = false
  }

  drained(): void {
    if (!this.#outlet.hasRoom()) return
    this.#stuckSince = undefined
    this.#skippedAt = undefined
    this.pump()
  }

  /**
   * Called when the transport has dropped messages because the client is slow. All frames up to `position` were sent,
   * by default those up to now. An earlier position at which `sendControl` dropped a message takes precedence.
   */
  skipped(position: number | undefined): void {
    this.#stuckSince ??= this.#now()
    if (this.#policy === "close") {
      this.#outlet.endSlow()
      return
    }
    for (const following of this.#followed.values()) {
      if (!following.live) continue
      const served = this.edge.servedTo(following.channel.pace)
      this.#off(following)
      following.fallBehind(Math.min(position ?? served, this.#skippedAt ?? served), this.#policy)
    }
  }

  /** A control message is any message that is not a frame. */
  sendControl(message: ControlMessage, cursor?: string): void {
    if (!this.#outlet.sendControl(message, cursor)) this.#skippedAt ??= this.edge.servedTo("adaptive")
  }

  /**
   * Called after the log was searched for the frames after a cursor, because memory no longer has them. `first` is
   * undefined if the log has none.
   */
  handleLogResult(following: RoomSubscription, cursor: Cursor, first: Frame | undefined): void {
    const { matchId, ring, room } = following
    const next = matchId === undefined ? undefined : (first ?? ring?.at(ring.indexAfterCursor(cursor)))
    if (next === undefined || next.epoch !== cursor.epoch) {
      this.reset(following)
      return
    }
    if (next.seq === cursor.seq + 1) {
      this.#sendResumed(room, "recovered", [])
      return
    }
    this.#sendResumed(room, "partial", [{ matchId: next.matchId, epoch: next.epoch, from: cursor.seq + 1, to: next.seq - 1 }])
    following.startWithSnapshotOf(next)
  }

  /**
   * Reports to a client that resumes a room of several matches that it will miss nothing. Called if the log still has the
   * frame of its cursor, and so every later one.
   */
  recovered(following: RoomSubscription): void {
    this.#sendResumed(following.room, "recovered", [])
  }

  reset(following: RoomSubscription): void {
    this.#sendResumed(following.room, "reset", [])
    following.restart()
  }

  /**
   * Closes the connection if the client has accepted no data for too long. Restarts each room whose cursor has been
   * ahead of this server for too long.
   */
  checkTimeouts(slowestMs: number): void {
    const now = this.#now()
    if (this.#stuckSince !== undefined && now - this.#stuckSince > slowestMs) this.#outlet.endSlow()
    else if (this.#aheadSince !== undefined && now - this.#aheadSince > AHEAD_AT_MOST_MS) {
      for (const following of this.#followed.values()) if (!following.live && !following.reading && following.isAhead) this.reset(following)
      this.pump()
    }
  }

  /** The message contains the cursors from which the client can resume on another server. */
  requestReconnect(reason: Reconnect["reason"], afterMs: number, others: Readonly<Record<string, Cursor>> = {}): void {
    this.edge.flush()
    const resume: Record<string, Cursor> = { ...others }
    for (const { live, ring, room } of this.#followed.values()) {
      const newest = ring?.newest
      if (live && newest !== undefined) resume[room] = cursorOf(newest)
    }
    this.sendControl({ type: "reconnect", reason, after_ms: afterMs, resume })
  }

  /** Called after the connection has closed. */
  close(): void {
    for (const { room } of this.#followed.values()) this.#leave(room)
    this.#older.stop(this)
    this.#await(false)
  }

  #resume(following: RoomSubscription, cursor: Cursor): void {
    const place = framePositionOf(this.edge, following, cursor)
    switch (place._tag) {
      case "Ring":
      case "Ahead":
        this.#sendResumed(following.room, "recovered", [])
        following.startAfter(place.position, place.cursor)
        break
      case "Older":
        following.startAfter(place.position, following.matchId === undefined ? undefined : { ...cursor, matchId: following.matchId })
        following.reading = true
        this.#older.read(this, following, cursor)
        break
      case "Lost":
        this.reset(following)
    }
  }

  #sendResumed(room: string, verdict: Resumed["verdict"], missing: ReadonlyArray<MissingRange>): void {
    this.sendControl({ type: "resumed", room, verdict, missing })
  }

  /** Sends everything that is due in a room. Returns "waiting" if the next item is not available yet. */
  #catchUp(following: RoomSubscription): "waiting" | undefined {
    const { channel } = following
    while (this.#outlet.hasRoom()) {
      const piece = following.next()
      if (piece === "waiting") return piece
      if (piece === "done") {
        this.#goLive(following)
        return undefined
      }
      switch (piece._tag) {
        case "Frame":
          if (channel.shape === "v1") this.#outlet.frame("update", piece.frame, this.edge.rooms.viewsOf(piece.frame).update, true)
          else this.#outlet.frame("delta", piece.frame, piece.frame.record.delta, true)
          break
        case "Snapshot":
          this.#sendSnapshot(piece.views, channel.shape, following.matchId !== undefined)
          break
        case "Gap":
          this.sendControl({ type: "gap", reason: piece.reason, missing: piece.missing })
      }
    }
    this.#stuckSince ??= this.#now()
    return undefined
  }

  #sendSnapshot(views: FrameViews, shape: Shape, isCursor: boolean): void {
    if (shape === "v1" && !this.#outlet.knowsSnapshots) this.#outlet.frame("update", views.frame, views.update, isCursor)
    else this.#outlet.frame("snapshot", views.frame, views.snapshot(shape), isCursor)
  }

  /** Runs synchronously after the last frame was sent, so that no frame can be missed in between. */
  #goLive(following: RoomSubscription): void {
    if (following.channel.pace === "adaptive") this.edge.flush()
    following.live = true
    following.joinedAtBytes = following.channel.socketBytes
    this.#outlet.join(following.channel)
    const newest = following.ring?.newest
    const message = { type: "caught_up", rooms: [following.room], position: this.edge.rooms.position } as const
    if (newest === undefined) this.sendControl(message)
    else this.sendControl({ ...message, cursor: cursorOf(newest) }, formatCursor(newest))
  }

  /** While waiting, the session tries to continue after every new frame of this server. */
  #await(waiting: boolean): void {
    if (waiting) {
      this.#stopAwaiting ??= this.edge.listen(() => this.pump())
      this.#aheadSince ??= this.#now()
    } else {
      this.#stopAwaiting?.()
      this.#stopAwaiting = undefined
      this.#aheadSince = undefined
    }
  }

  /** Followed rooms of several matches that are not part of another followed room. */
  #wideRooms(): ReadonlyArray<RoomSubscription> {
    if (this.#followed.size < 2) return []
    const all = this.#followed.get(ALL)
    if (all !== undefined) return [all]
    return [...this.#followed.values()].filter(({ matchId }) => matchId === undefined)
  }

  #coverRooms(wide: RoomSubscription): void {
    if (this.#fresh?.has(wide) === true) this.edge.flush()
    for (const following of this.#followed.values()) {
      if (!wide.covers(following) || following.coveredBy === wide) continue
      if (following.live && following.matchId !== undefined && following.channel.shape === wide.channel.shape)
        wide.skipSnapshotsOf(following)
      if (following.live) this.#off(following)
      this.#fresh?.delete(following)
      following.coveredBy = wide
    }
  }

  /**
   * Resumes the rooms whose frames were sent as part of `wide`, which the client has left. `servedTo` is the log
   * position up to which all frames of `wide` were sent.
   */
  #uncoverRooms(wide: RoomSubscription, servedTo: number | undefined): void {
    const others = this.#wideRooms()
    for (const following of this.#followed.values()) {
      if (following.coveredBy !== wide) continue
      following.coveredBy = others.find((other) => other.covers(following))
      if (following.coveredBy !== undefined) continue
      if (servedTo === undefined) following.startWithSnapshots()
      else following.fallBehind(servedTo, "catchup")
    }
  }

  #leave(room: string): void {
    const following = this.#followed.get(room)
    if (following === undefined) return
    this.#followed.delete(room)
    this.#fresh?.delete(following)
    if (following.live) this.#off(following)
    following.channel.members -= 1
    this.edge.channels.release(following.channel)
  }

  #off(following: RoomSubscription): void {
    following.live = false
    this.#publishedBefore += following.channel.socketBytes - following.joinedAtBytes
    this.#outlet.leave(following.channel)
  }
}

export const cursorOf = ({ matchId, epoch, seq, position }: Frame): FullCursor => ({ matchId, epoch, seq, position })
