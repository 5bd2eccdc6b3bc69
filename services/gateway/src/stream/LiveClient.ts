/**
 * One client of a live channel, over any transport: its live rooms (`ClientSession`), its replays, and how it ends. It
 * sends on an outlet. Its methods are called from native callbacks: an unexpected error ends this client only.
 */
import { closeCodes } from "@matchpoint/contracts/stream/closeCodes"
import type { Reconnect } from "@matchpoint/contracts/stream/messages"
import type { ChannelGame } from "@matchpoint/contracts/stream/streamPaths"
import type { Customer } from "@matchpoint/domain/accounts"
import type { GatewaySettings } from "@matchpoint/game/edge/GatewayConfig"
import type { LiveHub } from "@matchpoint/game/edge/live/LiveHub"
import { ClientSession } from "@matchpoint/realtime/ClientSession"
import type { OlderFrames } from "@matchpoint/realtime/SessionConnection"
import { ClientReplays } from "../replay/ClientReplays.ts"
import type { Replays } from "../replay/Replays.ts"
import { reconnectAfterMs, type StreamOptions } from "./handshake.ts"
import type { StreamTransport } from "./OpenStreams.ts"
import type { Outlet } from "./Outlet.ts"
import { closeOf, finalErrorOf, type StreamEnd } from "./streamEnds.ts"

/** Services shared by all clients. */
export interface ClientHost {
  readonly settings: GatewaySettings
  readonly hub: Pick<LiveHub["Service"], "edgeFor" | "whenRead">
  readonly replays: Replays["Service"]
  readonly older: OlderFrames
  readonly random: { readonly nextDoubleUnsafe: () => number }
  /** Returns monotonic milliseconds. */
  readonly now: () => number
  /**
   * Runs `work` for one client. If it throws, the error is logged and `end` is called to end the connection. Thrown into the
   * native event loop, the error would end the process.
   */
  readonly contained: (end: () => void, work: () => void) => void
  /** Counts that frames were skipped for a slow client. */
  readonly countSlow: () => void
}

export interface ClientOptions extends StreamOptions {
  /** The only game whose matches the client may see. Undefined if it may see all games. */
  readonly game: ChannelGame
}

export class LiveClient<out Sink extends Outlet = Outlet> implements StreamTransport {
  readonly session: ClientSession
  readonly outlet: Sink
  readonly key: Customer
  readonly #host: ClientHost
  /** Created when the first replay starts, because few clients start one. */
  #replays: ClientReplays | undefined
  /** Stops waiting until the gateway reads the rooms that the client enters. */
  #stopWaiting: (() => void) | undefined

  constructor(host: ClientHost, outlet: Sink, key: Customer, { game, pace, policy, shape }: ClientOptions) {
    this.#host = host
    this.outlet = outlet
    this.key = key
    this.session = new ClientSession({
      edge: host.hub.edgeFor(key.plan),
      ...(game === undefined ? {} : { game }),
      outlet,
      shape,
      pace,
      policy,
      older: host.older,
      now: host.now,
    })
  }

  get settings(): GatewaySettings {
    return this.#host.settings
  }

  /** Number of rooms, those of replays included. */
  get rooms(): number {
    return this.session.rooms.size + (this.#replays?.size ?? 0)
  }

  get replays(): ClientReplays {
    this.#replays ??= new ClientReplays({
      replays: this.#host.replays,
      key: this.key,
      watermark: this.session.edge,
      outlet: this.outlet,
    })
    return this.#replays
  }

  /** Leaves a room. Returns false if the client was not in it. */
  leave(room: string): boolean {
    return this.session.unfollow(room) || this.#replays?.stop(room) === true
  }

  /** Makes a room start again. Returns false if the client is not in it. */
  resync(room: string): boolean {
    return this.session.resync(room) || this.#replays?.resync(room) === true
  }

  /**
   * Calls `enter` as soon as the gateway reads the rooms, unless the client has closed. Returns false if it has to wait. Usually
   * `enter` has been called on return. Must not be called again before.
   */
  whenRead(rooms: ReadonlyArray<string>, enter: () => void): boolean {
    let isRead = false
    const cancel = this.#host.hub.whenRead(this.session.edge, rooms, () => {
      isRead = true
      this.#stopWaiting = undefined
      this.isolated(enter)
    })
    if (!isRead) this.#stopWaiting = cancel
    return isRead
  }

  /** Runs code of this client. If it fails unexpectedly, only this client's connection ends. */
  isolated(work: () => void): void {
    this.#host.contained(() => this.outlet.end(closeCodes.internalError), work)
  }

  /** Called when the connection has sent its buffered bytes, so that the session and the replays can send more. */
  drained(): void {
    this.isolated(() => {
      this.session.drained()
      this.#replays?.drained()
    })
  }

  /**
   * Called when messages were skipped because the client reads too slowly, with the beginning of the first one, or
   * undefined if the client has stopped reading.
   */
  skipped(message: Uint8Array | undefined): void {
    this.#host.countSlow()
    this.isolated(() => this.session.skipped(message === undefined ? undefined : this.outlet.positionBefore(message)))
  }

  /**
   * Asks the client to reconnect, and sends it the cursors from which it can resume. `clients` is the number of clients
   * that are asked at the same time.
   */
  requestReconnect(reason: Reconnect["reason"], clients?: number): void {
    this.session.requestReconnect(reason, reconnectAfterMs(this.#host.random, clients), this.#replays?.cursors)
    this.#replays?.close()
  }

  /** Sends the reason to the client and ends the connection. */
  end(ending: StreamEnd): void {
    this.isolated(() => {
      if (this.outlet.closed) return
      const finalError = finalErrorOf(ending)
      if (finalError === undefined) this.requestReconnect("plan_changed")
      this.outlet.end(closeOf(ending), finalError)
    })
  }

  /** Called when the connection has closed. */
  close(): void {
    this.#stopWaiting?.()
    this.session.close()
    this.#replays?.close()
  }
}
