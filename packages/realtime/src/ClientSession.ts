/**
 * One client of the live streams, over any transport: the rooms (sets of matches) that the client follows, its position
 * in each room, and the handling of slow clients. Uses plain callbacks, because they run inside the native event loop.
 * A session owns no socket: the transport provides a `SessionConnection`.
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
 * How long this server waits, in milliseconds, if a client's cursor is ahead of the server's newest frame. After that,
 * the cursor is treated as belonging to a different history.
 */
const AHEAD_AT_MOST_MS = 10_000

export class ClientSession {
  readonly edge: Edge
  /** The only game whose matches the client may see; undefined if it may see all games. */
  readonly game: GameName | undefined
  readonly shape: Shape
  readonly pace: Pace
  readonly #outlet: SessionConnection
  readonly #policy: SlowPolicy
  readonly #older: OlderFrames
  readonly #now: () => number
  readonly #followed = new FollowedRooms()
  /** Rooms from which nothing has been sent yet, each with its resume cursor. Undefined if there are no such rooms. */
  #fresh: Map<RoomSubscription, Cursor | undefined> | undefined
  /**
   * Log position up to which all frames had been sent when a control message was dropped because the client was slow.
   * If several were dropped, the position of the first one is kept. Undefined if none was dropped since the connection
   * last became able to accept data again.
   */
  #skippedAt: number | undefined
  #stopAwaiting: (() => void) | undefined
  #pumping = false
  /** Time at which the send buffer of the connection became full; undefined if it is not full. */
  #stuckSince: number | undefined
  /**
   * Time at which the session began to wait because the client's cursor is ahead of this server's newest frame;
   * undefined if it is not waiting.
   */
  #aheadSince: number | undefined
  /** Bytes that were published to the client in channels that it has left. */
  #publishedBefore = 0

  constructor(options: {
    readonly edge: Edge
    readonly game?: GameName
    readonly outlet: SessionConnection
    readonly shape: Shape
    readonly pace: Pace
    readonly policy: SlowPolicy
    readonly older: OlderFrames
    /** Returns the current time in epoch milliseconds. */
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

  /** Bytes published to the client over channels of WebSockets so far. Never decreases. */
  get publishedBytes(): number {
    let total = this.#publishedBefore
    for (const { channel, joinedAtBytes, live } of this.#followed.values()) if (live) total += channel.socketBytes - joinedAtBytes
    return total
  }

  /** Returns true if this server has the match and the match belongs to a game that the client may see. */
  mayFollow(matchId: MatchId): boolean {
    return (this.game === undefined || gameOfMatch(matchId) === this.game) && this.edge.rooms.get(matchId) !== undefined
  }

  /**
   * Enters a room. Sending starts at the next call of `begin`: with the frames after the cursor, or with snapshots if
   * there is no cursor. A room that the client already follows is restarted. If `ofGame` is set, the room contains
   * every match of that game.
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
   * Makes a room start again with snapshots at the next call of `begin`. Returns false if the client does not follow
   * the room.
   */
  resync(room: string): boolean {
    const following = this.#followed.get(room)
    if (following === undefined) return false
    // Frames that are being held back for a batch are sent first, because their events would be missing from a
    // snapshot.
    this.edge.flush()
    this.enter(room, following.matchId, following.channel.shape, following.channel.pace, undefined, following.game)
    return true
  }

  /** Leaves a room. Returns false if the client did not follow it. */
  unfollow(room: string): boolean {
    const following = this.#followed.get(room)
    if (following === undefined) return false
    const servedTo = following.live && typeof following.channel.pace !== "number" ? this.edge.servedTo(following.channel.pace) : undefined
    this.#leave(room)
    this.#uncoverRooms(following, servedTo)
    return true
  }

  /**
   * Starts sending the frames of the rooms that were entered. If the client also follows a room of several matches that
   * includes one of its single-match rooms, frames are sent for the larger room only, so that each frame is sent once.
   */
  begin(): void {
    for (const wide of this.#wideRooms()) this.#coverRooms(wide)
    for (const [following, cursor] of this.#fresh ?? []) {
      if (following.coveredBy !== undefined) continue
      this.#fresh?.delete(following)
      if (cursor === undefined) following.startWithSnapshots()
      // A channel that conflates frames keeps no past frames, so here the client restarts with the newest state.
      else if (typeof following.channel.pace === "number") this.reset(following)
      else this.#resume(following, cursor)
    }
    if (this.#fresh?.size === 0) this.#fresh = undefined
    this.pump()
  }

  /**
   * Sends all frames that are due, until the send buffer is full. Called by `begin`, when the connection drains, and
   * when older frames have been read from the log.
   */
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

  /** Continues sending when the connection can accept data again. */
  drained(): void {
    if (!this.#outlet.hasRoom()) return
    this.#stuckSince = undefined
    this.#skippedAt = undefined
    this.pump()
  }

  /**
   * Called when the transport has dropped messages because the client is slow. `position` is the log position up to
   * which all frames were sent; if it is undefined, the current position is assumed. If `sendControl` dropped a message
   * at an earlier position, that position is used instead.
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

  /** Sends a control message, that is, any message that is not a frame. */
  sendControl(message: ControlMessage, cursor?: string): void {
    if (!this.#outlet.sendControl(message, cursor)) this.#skippedAt ??= this.edge.servedTo("adaptive")
  }

  /**
   * Called after the log was searched for the frames after a cursor, because they are no longer in memory. `first` is
   * the first frame found after the cursor; undefined if the log has none.
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
   * Tells a client that resumes a room with several matches that it will miss nothing. Called if the log still has the
   * frame that the client received last (its cursor), because the log then has every later frame too.
   */
  recovered(following: RoomSubscription): void {
    this.#sendResumed(following.room, "recovered", [])
  }

  reset(following: RoomSubscription): void {
    this.#sendResumed(following.room, "reset", [])
    following.restart()
  }

  /**
   * Closes the connection if the client has accepted no data for too long. Restarts each room with snapshots if its
   * cursor has been ahead of this server's newest frame for too long.
   */
  checkTimeouts(slowestMs: number): void {
    const now = this.#now()
    if (this.#stuckSince !== undefined && now - this.#stuckSince > slowestMs) this.#outlet.endSlow()
    else if (this.#aheadSince !== undefined && now - this.#aheadSince > AHEAD_AT_MOST_MS) {
      for (const following of this.#followed.values()) if (!following.live && !following.reading && following.isAhead) this.reset(following)
      this.pump()
    }
  }

  /**
   * Asks the client to reconnect. The message contains the cursors from which the client can resume on another server.
   */
  requestReconnect(reason: Reconnect["reason"], afterMs: number, others: Readonly<Record<string, Cursor>> = {}): void {
    this.edge.flush()
    const resume: Record<string, Cursor> = { ...others }
    for (const { live, ring, room } of this.#followed.values()) {
      const newest = ring?.newest
      if (live && newest !== undefined) resume[room] = cursorOf(newest)
    }
    this.sendControl({ type: "reconnect", reason, after_ms: afterMs, resume })
  }

  /** Releases all rooms of the session. Called after the connection has closed. */
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

  /**
   * Sends everything that is due in a room: frames, snapshots and gap announcements. Returns "waiting" if the next one
   * is not available yet.
   */
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

  /**
   * Subscribes the client to the channel of a room. Runs synchronously after the last frame was sent, so that no frame
   * can be missed in between.
   */
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

  /**
   * If `waiting` is true, the session tries to continue sending after every new frame of this server. If it is false,
   * it stops doing so.
   */
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

  /**
   * Returns the followed rooms that contain several matches and are not part of another followed room. If the client
   * follows `all`, only `all` is returned.
   */
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
   * Called when the client has left the room `wide`, which contains several matches. Resumes the other rooms whose
   * frames were sent as part of `wide`. `servedTo` is the log position up to which all frames of `wide` were sent.
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
