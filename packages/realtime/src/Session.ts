/**
 * One client on a live channel, over any transport: the rooms it follows, its place in each, and the handling of slow
 * clients. Plain callbacks, because they run inside the native event loop. It owns no socket: the transport provides an
 * `Outlet`.
 */
import { type Cursor, type FullCursor, formatCursor } from "@matchpoint/contracts/stream/cursors"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import type { ControlMessage, MissingRange, Reconnect, Resumed, SlowPolicy } from "@matchpoint/contracts/stream/messages"
import { ALL, allOf } from "@matchpoint/contracts/stream/rooms"
import { type GameName, gameOfMatch, type MatchId } from "@matchpoint/domain/ids"
import type { Pace } from "./Channel.ts"
import type { Edge } from "./Edge.ts"
import { FollowedRooms } from "./FollowedRooms.ts"
import { Following } from "./Following.ts"
import type { Frame } from "./Frame.ts"
import type { OlderFrames, Outlet } from "./Outlet.ts"
import { placeOf } from "./placeOf.ts"
import type { Views } from "./Views.ts"

/**
 * Milliseconds for which a client may be ahead of this edge. After that, its cursor is treated as one of another
 * history.
 */
const AHEAD_AT_MOST_MS = 10_000

export class Session {
  readonly edge: Edge
  /** The only game whose matches the client may see; undefined for all games. */
  readonly game: GameName | undefined
  readonly shape: Shape
  readonly pace: Pace
  readonly #outlet: Outlet
  readonly #policy: SlowPolicy
  readonly #older: OlderFrames
  readonly #now: () => number
  readonly #followed = new FollowedRooms()
  /** Entered rooms that have not started, with the cursor to start at; undefined if there are none. */
  #fresh: Map<Following, Cursor | undefined> | undefined
  /** Position served when a message of this session was first dropped. Reset when the connection drains. */
  #skippedAt: number | undefined
  #stopAwaiting: (() => void) | undefined
  #pumping = false
  /** Time since which the connection has been full; undefined if nothing waits. */
  #stuckSince: number | undefined
  /** Time since which the client has been waiting for this edge to reach its cursor. */
  #aheadSince: number | undefined

  constructor(options: {
    readonly edge: Edge
    readonly game?: GameName
    readonly outlet: Outlet
    readonly shape: Shape
    readonly pace: Pace
    readonly policy: SlowPolicy
    readonly older: OlderFrames
    /** Returns epoch milliseconds. */
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

  /** Returns true if the client may follow the match here: the edge has it, and it belongs to the client's game. */
  sees(matchId: MatchId): boolean {
    return (this.game === undefined || gameOfMatch(matchId) === this.game) && this.edge.rooms.get(matchId) !== undefined
  }

  /**
   * Enters a room, which starts at the next `begin`: after the cursor, or with snapshots. A room that is already
   * followed starts again. If `ofGame` is set, the room has every match of that game.
   */
  enter(room: string, matchId: MatchId | undefined, shape: Shape, pace: Pace, cursor: Cursor | undefined, ofGame?: GameName): void {
    this.#leave(room)
    const game = matchId === undefined ? (ofGame ?? this.game) : undefined
    const channel = this.edge.channel(game === undefined ? room : allOf(game), shape, pace)
    const following = new Following(this.edge, channel, room, matchId, game)
    following.channel.members += 1
    this.#followed.add(following)
    this.#fresh ??= new Map()
    this.#fresh.set(following, cursor)
  }

  /** Starts a room again with snapshots, at the next `begin`. Returns false if the room is not followed. */
  resync(room: string): boolean {
    const following = this.#followed.get(room)
    if (following === undefined) return false
    // Sends waiting frames first, because their events are in no snapshot.
    this.edge.flush()
    this.enter(room, following.matchId, following.channel.shape, following.channel.pace, undefined, following.game)
    return true
  }

  /** Leaves a room. Returns false if it was not followed. */
  unfollow(room: string): boolean {
    const following = this.#followed.get(room)
    if (following === undefined) return false
    const servedTo = following.live && typeof following.channel.pace !== "number" ? this.edge.servedTo(following.channel.pace) : undefined
    this.#leave(room)
    this.#unshade(following, servedTo)
    return true
  }

  /**
   * Starts the entered rooms. If a client also follows a wider room, its single matches become part of that room, so
   * that each frame is sent once.
   */
  begin(): void {
    for (const wide of this.#wideRooms()) this.#shade(wide)
    for (const [following, cursor] of this.#fresh ?? []) {
      if (following.shadedBy !== undefined) continue
      this.#fresh?.delete(following)
      if (cursor === undefined) following.startWithSnapshots()
      // A conflated channel keeps no past frames, so the client starts with the newest.
      else if (typeof following.channel.pace === "number") this.reset(following)
      else this.#resume(following, cursor)
    }
    if (this.#fresh?.size === 0) this.#fresh = undefined
    this.pump()
  }

  /**
   * Sends what is due, as far as the connection has room. Called by `begin`, on drain, and when older frames have
   * arrived.
   */
  pump(): void {
    if (this.#pumping) return
    this.#pumping = true
    let waiting = false
    for (const following of this.#followed.values()) {
      if (following.live || following.shadedBy !== undefined || this.#fresh?.has(following) === true) continue
      if (this.#catchUp(following) === "waiting") waiting = true
    }
    this.#await(waiting)
    this.#pumping = false
  }

  /** Continues to send when the connection has room again. */
  drained(): void {
    if (!this.#outlet.hasRoom()) return
    this.#stuckSince = undefined
    this.#skippedAt = undefined
    this.pump()
  }

  /**
   * Handles messages that the transport skipped. `position`: the place up to which everything was sent; undefined means
   * the current place, unless `say` had already failed.
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

  /** Sends a message that is not a frame. */
  say(message: ControlMessage, cursor?: string): void {
    if (!this.#outlet.say(message, cursor)) this.#skippedAt ??= this.edge.servedTo("adaptive")
  }

  /** Handles the log's result for a cursor that was not in the rings: the first frame after it, or none. */
  verdict(following: Following, cursor: Cursor, first: Frame | undefined): void {
    const { room } = following
    const { ring } = following
    const next = first ?? ring?.at(following.matchId === undefined ? ring.indexAfter(cursor.position ?? 0) : ring.indexAfterCursor(cursor))
    if (next === undefined || next.epoch !== cursor.epoch || following.matchId === undefined) {
      this.reset(following)
      return
    }
    if (next.seq === cursor.seq + 1) {
      this.#tellResumed(room, "recovered", [])
      return
    }
    this.#tellResumed(room, "partial", [{ matchId: next.matchId, epoch: next.epoch, from: cursor.seq + 1, to: next.seq - 1 }])
    following.startWithSnapshotOf(next)
  }

  /** Handles a cursor of the room `all` that was found in the log: every frame after it is available. */
  recovered(following: Following): void {
    this.#tellResumed(following.room, "recovered", [])
  }

  reset(following: Following): void {
    this.#tellResumed(following.room, "reset", [])
    following.restart()
  }

  /**
   * Closes a client that has taken nothing for too long. Resets a client whose cursor this edge has not reached in
   * time.
   */
  lookAfter(slowestMs: number): void {
    const now = this.#now()
    if (this.#stuckSince !== undefined && now - this.#stuckSince > slowestMs) this.#outlet.endSlow()
    else if (this.#aheadSince !== undefined && now - this.#aheadSince > AHEAD_AT_MOST_MS) {
      for (const following of this.#followed.values()) if (!following.live && !following.reading && following.isAhead) this.reset(following)
      this.pump()
    }
  }

  /** Asks the client to reconnect, and names the cursors from which it can resume elsewhere. */
  sayGoodbye(reason: Reconnect["reason"], afterMs: number, others: Readonly<Record<string, Cursor>> = {}): void {
    this.edge.flush()
    const resume: Record<string, Cursor> = { ...others }
    for (const { live, ring, room } of this.#followed.values()) {
      const newest = ring?.newest
      if (live && newest !== undefined) resume[room] = cursorOf(newest)
    }
    this.say({ type: "reconnect", reason, after_ms: afterMs, resume })
  }

  /** Releases the rooms after the connection has closed. */
  close(): void {
    for (const { room } of this.#followed.values()) this.#leave(room)
    this.#older.stop(this)
    this.#await(false)
  }

  #resume(following: Following, cursor: Cursor): void {
    const place = placeOf(this.edge, following, cursor)
    switch (place._tag) {
      case "Ring":
      case "Ahead":
        this.#tellResumed(following.room, "recovered", [])
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

  #tellResumed(room: string, verdict: Resumed["verdict"], missing: ReadonlyArray<MissingRange>): void {
    this.say({ type: "resumed", room, verdict, missing })
  }

  /** Sends the next pieces of a room. Returns "waiting" if the next piece is not available yet. */
  #catchUp(following: Following): "waiting" | undefined {
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
          else this.#outlet.frame("delta", piece.frame, piece.frame.delta, true)
          break
        case "Snapshot":
          this.#sendSnapshot(piece.views, channel.shape, following.matchId !== undefined)
          break
        case "Gap":
          this.say({ type: "gap", reason: piece.reason, missing: piece.missing })
      }
    }
    this.#stuckSince ??= this.#now()
    return undefined
  }

  #sendSnapshot(views: Views, shape: Shape, isCursor: boolean): void {
    if (shape === "v1" && !this.#outlet.knowsSnapshots) this.#outlet.frame("update", views.frame, views.update, isCursor)
    else this.#outlet.frame("snapshot", views.frame, views.snapshot(shape), isCursor)
  }

  /**
   * Runs in the same turn as the last frame sent, so that no frame can get lost before the client joins its channel.
   */
  #goLive(following: Following): void {
    if (following.channel.pace === "adaptive") this.edge.flush()
    following.live = true
    this.#outlet.join(following.channel)
    const newest = following.ring?.newest
    const message = { type: "caught_up", rooms: [following.room], position: this.edge.rooms.position } as const
    if (newest === undefined) this.say(message)
    else this.say({ ...message, cursor: cursorOf(newest) }, formatCursor(newest))
  }

  /** Tries again after each new frame of the edge while the client waits. */
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

  /** Returns the rooms of several matches that no other room includes: only `all` if it is followed. */
  #wideRooms(): ReadonlyArray<Following> {
    if (this.#followed.size < 2) return []
    const all = this.#followed.get(ALL)
    if (all !== undefined) return [all]
    return [...this.#followed.values()].filter(({ matchId }) => matchId === undefined)
  }

  #shade(wide: Following): void {
    if (this.#fresh?.has(wide) === true) this.edge.flush()
    for (const following of this.#followed.values()) {
      if (!wide.covers(following) || following.shadedBy === wide) continue
      if (following.live && following.matchId !== undefined && following.channel.shape === wide.channel.shape) wide.begunWith(following)
      if (following.live) this.#off(following)
      this.#fresh?.delete(following)
      following.shadedBy = wide
    }
  }

  /**
   * Continues the rooms that were part of `wide`, which was left. `servedTo`: position up to which everything was sent
   * in `wide`.
   */
  #unshade(wide: Following, servedTo: number | undefined): void {
    const others = this.#wideRooms()
    for (const following of this.#followed.values()) {
      if (following.shadedBy !== wide) continue
      following.shadedBy = others.find((other) => other.covers(following))
      if (following.shadedBy !== undefined) continue
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
    this.edge.release(following.channel)
  }

  #off(following: Following): void {
    following.live = false
    this.#outlet.leave(following.channel)
  }
}

export const cursorOf = ({ matchId, epoch, seq, position }: Frame): FullCursor => ({ matchId, epoch, seq, position })
