/**
 * One client on a live channel, whichever transport: the rooms it follows, where it is in each, and what happens when it reads more
 * slowly than it is sent to. Plain callbacks, because they run inside the native loop. It owns no socket: the transport gives it an outlet.
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

/** How long a client may be ahead of this edge; then its cursor is taken to be of another history. */
const AHEAD_AT_MOST_MS = 10_000

export class Session {
  readonly edge: Edge
  /** The client sees the matches of this game, and no others. Undefined: of every game. */
  readonly game: GameName | undefined
  readonly shape: Shape
  readonly pace: Pace
  readonly #outlet: Outlet
  readonly #policy: SlowPolicy
  readonly #older: OlderFrames
  readonly #now: () => number
  readonly #followed = new FollowedRooms()
  /** Entered, with the cursor to begin at; undefined: there are none. */
  #fresh: Map<Following, Cursor | undefined> | undefined
  /** Set while the client has been skipped and has not drained yet. */
  #skippedAt: number | undefined
  #stopAwaiting: (() => void) | undefined
  #pumping = false
  /** Since when the connection has had no room for what waits; undefined: nothing waits. */
  #stuckSince: number | undefined
  /** Since when the client waits for this edge to get as far as it is itself. */
  #aheadSince: number | undefined

  constructor(options: {
    readonly edge: Edge
    readonly game?: GameName
    readonly outlet: Outlet
    readonly shape: Shape
    readonly pace: Pace
    readonly policy: SlowPolicy
    readonly older: OlderFrames
    /** Epoch ms. */
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

  /** Whether the client may follow the match here: the edge has it, and it is of the client's game. */
  sees(matchId: MatchId): boolean {
    return (this.game === undefined || gameOfMatch(matchId) === this.game) && this.edge.rooms.get(matchId) !== undefined
  }

  /**
   * Follows a room of the edge from `begin` on: after the cursor, or with snapshots first. A room that is followed already begins anew.
   * `ofGame`: the room has every match of this game.
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

  /** Begins a room anew, with its snapshots, from `begin` on. False: it is not followed. */
  resync(room: string): boolean {
    const following = this.#followed.get(room)
    if (following === undefined) return false
    // What waits to be flushed first: its events are in no snapshot.
    this.edge.flush()
    this.enter(room, following.matchId, following.channel.shape, following.channel.pace, undefined, following.game)
    return true
  }

  /** False: it was not followed. */
  unfollow(room: string): boolean {
    const following = this.#followed.get(room)
    if (following === undefined) return false
    const servedTo = following.live && typeof following.channel.pace !== "number" ? this.edge.servedTo(following.channel.pace) : undefined
    this.#leave(room)
    this.#unshade(following, servedTo)
    return true
  }

  /** Starts what was entered. While a client follows a wider room, its single matches are part of that: each frame reaches it once. */
  begin(): void {
    for (const wide of this.#wideRooms()) this.#shade(wide)
    for (const [following, cursor] of this.#fresh ?? []) {
      if (following.shadedBy !== undefined) continue
      this.#fresh?.delete(following)
      if (cursor === undefined) following.startWithSnapshots()
      // Frames that were conflated away are nowhere: one who wants the newest begins with it.
      else if (typeof following.channel.pace === "number") this.reset(following)
      else this.#resume(following, cursor)
    }
    if (this.#fresh?.size === 0) this.#fresh = undefined
    this.pump()
  }

  /** Sends what there is to send, as far as the connection has room. Called after `follow`, on drain, and when older frames came. */
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

  /** The connection has room again. */
  drained(): void {
    if (!this.#outlet.hasRoom()) return
    this.#stuckSince = undefined
    this.#skippedAt = undefined
    this.pump()
  }

  /** The transport skipped messages; `position`: up to where it had taken everything. Undefined: up to now, as far as `say` knows. */
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

  /** Sends a message of its own. */
  say(message: ControlMessage, cursor?: string): void {
    if (!this.#outlet.say(message, cursor)) this.#skippedAt ??= this.edge.servedTo("adaptive")
  }

  /** How the log answered a cursor that the rings could not: the first frame after it, or none. */
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

  /** The cursor of the room `all` was found in the log: what follows it is complete. */
  recovered(following: Following): void {
    this.#tellResumed(following.room, "recovered", [])
  }

  reset(following: Following): void {
    this.#tellResumed(following.room, "reset", [])
    following.restart()
  }

  /** Ends a client that takes nothing for too long; resets one that has waited in vain for this edge to reach its cursor. */
  lookAfter(slowestMs: number): void {
    const now = this.#now()
    if (this.#stuckSince !== undefined && now - this.#stuckSince > slowestMs) this.#outlet.endSlow()
    else if (this.#aheadSince !== undefined && now - this.#aheadSince > AHEAD_AT_MOST_MS) {
      for (const following of this.#followed.values()) if (!following.live && !following.reading && following.isAhead) this.reset(following)
      this.pump()
    }
  }

  /** Tells the client where it can go on elsewhere. */
  sayGoodbye(reason: Reconnect["reason"], afterMs: number, others: Readonly<Record<string, Cursor>> = {}): void {
    this.edge.flush()
    const resume: Record<string, Cursor> = { ...others }
    for (const { live, ring, room } of this.#followed.values()) {
      const newest = ring?.newest
      if (live && newest !== undefined) resume[room] = cursorOf(newest)
    }
    this.say({ type: "reconnect", reason, after_ms: afterMs, resume })
  }

  /** The connection is gone. */
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

  /** "waiting": what comes next is not there yet. */
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

  /** In one turn: nothing can come between the last frame sent and the channel. */
  #goLive(following: Following): void {
    if (following.channel.pace === "adaptive") this.edge.flush()
    following.live = true
    this.#outlet.join(following.channel)
    const newest = following.ring?.newest
    const message = { type: "caught_up", rooms: [following.room], position: this.edge.rooms.position } as const
    if (newest === undefined) this.say(message)
    else this.say({ ...message, cursor: cursorOf(newest) }, formatCursor(newest))
  }

  /** Tries again whenever the edge has got further. */
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

  /** Those of several matches that no other covers, `all` before the others. */
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

  /** `wide` was left. `servedTo`: up to where everything was sent as part of it. */
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
