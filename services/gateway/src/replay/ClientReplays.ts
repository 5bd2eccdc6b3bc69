/**
 * The replays of one client. On a WebSocket, each is a room `replay:<matchId>` beside other rooms, and ends with the
 * socket. A stream of server-sent events has one replay, and ends with it.
 */
import { TooManyReplays } from "@matchpoint/contracts/http/errors"
import type { Cursor } from "@matchpoint/contracts/stream/cursors"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import type { ReplayOptions } from "@matchpoint/contracts/stream/messages"
import { replayRoom } from "@matchpoint/contracts/stream/rooms"
import type { Customer } from "@matchpoint/domain/accounts"
import type { MatchId } from "@matchpoint/domain/ids"
import { cursorOf } from "@matchpoint/realtime/ClientSession"
import { Latch } from "effect"
import type { Outlet } from "../stream/Outlet.ts"
import type { ReplaySink } from "./ReplaySink.ts"
import type { ReplayHandle, Replays } from "./Replays.ts"
import type { Watermark } from "./StoredFrames.ts"

interface Playing {
  readonly handle: ReplayHandle
  readonly matchId: MatchId
  readonly shape: Shape
  readonly options: ReplayOptions
  /** Last frame sent. */
  cursor: Cursor | undefined
}

type ReplayOutlet = ReplaySink["outlet"] & Pick<Outlet, "replayOver">

export class ClientReplays {
  readonly #replays: Replays["Service"]
  readonly #key: Customer
  readonly #watermark: Watermark
  readonly #outlet: ReplayOutlet
  readonly #playing = new Map<string, Playing>()
  readonly #drained = Latch.makeUnsafe()

  constructor(options: {
    readonly replays: Replays["Service"]
    readonly key: Customer
    /** Newest frame that the key's plan may see. */
    readonly watermark: Watermark
    readonly outlet: ReplayOutlet
  }) {
    this.#replays = options.replays
    this.#key = options.key
    this.#watermark = options.watermark
    this.#outlet = options.outlet
  }

  /** Rooms with a running replay. */
  get size(): number {
    return this.#playing.size
  }

  /**
   * Starts a replay, or restarts the one in the same room. The replay itself sends `subscribed` (if it is a room) or an
   * error, then `resumed` if a cursor was given, then the frames.
   */
  start(matchId: MatchId, shape: Shape, options: ReplayOptions, resume: Cursor | undefined, isResync = false): void {
    const room = replayRoom(matchId)
    this.stop(room)
    const outlet = this.#outlet
    const isRoom = outlet.replayOver === undefined
    const handle = this.#replays.start({
      matchId,
      options,
      shape,
      resume,
      isResync,
      watermark: this.#watermark,
      key: this.#key,
      over: () => {
        this.#playing.delete(room)
        outlet.replayOver?.()
      },
      sink: {
        outlet,
        begin: () => {
          if (isRoom && !isResync) outlet.sendControl({ type: "subscribed", rooms: [room], shape, max_rate_ms: null })
        },
        frameSent: (frame) => {
          if (playing !== undefined) playing.cursor = cursorOf(frame)
        },
        drained: () => {
          this.#drained.closeUnsafe()
          return this.#drained.await
        },
      },
    })
    const playing: Playing | undefined = handle === undefined ? undefined : { handle, matchId, shape, options, cursor: resume }
    if (playing !== undefined) this.#playing.set(room, playing)
    else {
      const { message } = TooManyReplays.of(this.#key.plan).error
      outlet.sendControl({ type: "error", code: "TOO_MANY_REPLAYS", message, ...(isRoom ? { room } : {}) })
      outlet.replayOver?.()
    }
  }

  /**
   * Sends the last frame of a replay again, as a snapshot, and continues from there. Returns false if no replay runs in
   * the room.
   */
  resync(room: string): boolean {
    const playing = this.#playing.get(room)
    if (playing === undefined) return false
    const { matchId, shape, options, cursor } = playing
    const before = cursor === undefined ? undefined : { epoch: cursor.epoch, seq: Math.max(0, cursor.seq - 1) }
    this.start(matchId, shape, options, before, before !== undefined)
    return true
  }

  /** Returns false if no replay ran in the room. */
  stop(room: string): boolean {
    const playing = this.#playing.get(room)
    this.#playing.delete(room)
    playing?.handle.stop()
    return playing !== undefined
  }

  /** The connection has sent its buffered bytes: waiting replays continue. */
  drained(): void {
    this.#drained.openUnsafe()
  }

  /** Cursors by room name, from which the client resumes on another connection. */
  get cursors(): Readonly<Record<string, Cursor>> {
    const cursors: Record<string, Cursor> = {}
    for (const [room, { cursor }] of this.#playing) if (cursor !== undefined) cursors[room] = cursor
    return cursors
  }

  close(): void {
    for (const room of [...this.#playing.keys()]) this.stop(room)
  }
}
