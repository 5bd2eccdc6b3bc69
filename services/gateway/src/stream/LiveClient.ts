/**
 * One client of a live channel, over any transport: its live rooms (`ClientSession`), its replays, and how it ends.
 * Sends on an outlet. Native callbacks call its methods: an unexpected error ends this client only.
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

/** Shared by all clients. */
export interface ClientHost {
  readonly settings: GatewaySettings
  readonly hub: Pick<LiveHub["Service"], "edgeFor" | "whenRead">
  readonly replays: Replays["Service"]
  readonly older: OlderFrames
  readonly random: { readonly nextDoubleUnsafe: () => number }
  /** Monotonic milliseconds. */
  readonly now: () => number
  /**
   * If `work` throws, the error is logged and `end` ends the connection. In the native event loop, it would end the
   * process.
   */
  readonly contained: (end: () => void, work: () => void) => void
  /** Counts that frames were skipped for a slow client. */
  readonly countSlow: () => void
}

export interface ClientOptions extends StreamOptions {
  /** Undefined if the client may see all games. */
  readonly game: ChannelGame
}

export class LiveClient<out Sink extends Outlet = Outlet> implements StreamTransport {
  readonly session: ClientSession
  readonly outlet: Sink
  readonly key: Customer
  readonly #host: ClientHost
  /** Created with the first replay, because few clients start one. */
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

  /** Includes rooms of replays. */
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

  /** Returns false if the client was not in the room. */
  leave(room: string): boolean {
    return this.session.unfollow(room) || this.#replays?.stop(room) === true
  }

  /** The room starts again. Returns false if the client is not in it. */
  resync(room: string): boolean {
    return this.session.resync(room) || this.#replays?.resync(room) === true
  }

  /**
   * Calls `enter` once the gateway reads the rooms, unless the client has closed. Returns false if it has to wait;
   * usually `enter` has been called on return. Must not be called again before.
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

  /** An unexpected failure ends only this client's connection. */
  isolated(work: () => void): void {
    this.#host.contained(() => this.outlet.end(closeCodes.internalError), work)
  }

  /** Called when the connection has sent its buffered bytes. */
  drained(): void {
    this.isolated(() => {
      this.session.drained()
      this.#replays?.drained()
    })
  }

  /**
   * Messages were skipped because the client reads too slowly. `message` is the beginning of the first one; undefined
   * if the client has stopped reading.
   */
  skipped(message: Uint8Array | undefined): void {
    this.#host.countSlow()
    this.isolated(() => this.session.skipped(message === undefined ? undefined : this.outlet.positionBefore(message)))
  }

  /** Sends the cursors from which the client can resume. `clients` are asked at the same time. */
  requestReconnect(reason: Reconnect["reason"], clients?: number): void {
    this.session.requestReconnect(reason, reconnectAfterMs(this.#host.random, clients), this.#replays?.cursors)
    this.#replays?.close()
  }

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
