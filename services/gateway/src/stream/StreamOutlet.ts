/** A client's stream of server-sent events. */
import { type ControlMessage, controlEvents, type StreamError } from "@matchpoint/contracts/stream/messages"
import { HEARTBEAT } from "@matchpoint/contracts/stream/wire"
import type { Channel } from "@matchpoint/realtime/Channel"
import type { Frame } from "@matchpoint/realtime/Frame"
import { type FrameKind, frameEvent, positionBeforeEvent, sseEvent } from "@matchpoint/realtime/sseEvents"
import type { SseConnection } from "@matchpoint/uws/SseConnection"
import { type Closing, type Outlet, PAUSE_AT_SHARE } from "./Outlet.ts"

/**
 * Milliseconds until a browser reconnects after a replay. Long enough for the client to notice the end and close the
 * connection.
 */
const NOT_SOON_MS = 3_600_000

type AnyConnection = Omit<SseConnection<unknown>, "data">

export class StreamOutlet implements Outlet {
  readonly #connection: AnyConnection
  readonly #limit: number

  /** `limit` in unsent bytes. */
  constructor(connection: AnyConnection, limit: number) {
    this.#connection = connection
    this.#limit = limit
  }

  /**
   * The API has no snapshot event for server-sent events. In message format v1, the stream starts with updates instead,
   * which contain the complete document.
   */
  get knowsSnapshots(): boolean {
    return false
  }

  get closed(): boolean {
    return this.#connection.closed
  }

  get unsentBytes(): number {
    return this.#connection.bufferedBytes
  }

  frame(kind: FrameKind, frame: Frame, bytes: Uint8Array, isCursor: boolean): void {
    this.#connection.write(frameEvent(kind, frame, bytes, isCursor))
  }

  sendControl(message: ControlMessage, cursor?: string): boolean {
    const before = this.unsentBytes
    const left = this.#connection.write(controlEvent(message, cursor))
    return left || this.unsentBytes > before || this.closed
  }

  join(channel: Channel): void {
    channel.streams += 1
    this.#connection.subscribe(channel.topic)
  }

  leave(channel: Channel): void {
    channel.streams -= 1
    this.#connection.unsubscribe(channel.topic)
  }

  hasRoom(): boolean {
    return !this.closed && this.unsentBytes < this.#limit * PAUSE_AT_SHARE
  }

  end(_closing: Closing, last?: StreamError): void {
    this.#connection.end(last === undefined ? undefined : controlEvent(last))
  }

  /** A client that does not read would not get a reason either. */
  endSlow(): void {
    this.cut()
  }

  replayOver(): void {
    this.#connection.end()
  }

  cut(): void {
    this.#connection.cut()
  }

  positionBefore(skipped: Uint8Array): number | undefined {
    return positionBeforeEvent(skipped)
  }
}

/** `cursor` becomes the client's cursor. */
const controlEvent = (message: ControlMessage, cursor?: string): Uint8Array => {
  const retryMs = retryMsOf(message)
  return sseEvent(message.type === HEARTBEAT ? controlEvents.ping : message.type, message, {
    ...(cursor === undefined ? {} : { id: cursor }),
    ...(retryMs === undefined ? {} : { retryMs }),
  })
}

/** How long EventSource waits before it reconnects. */
const retryMsOf = (message: ControlMessage): number | undefined =>
  message.type === "reconnect" ? message.after_ms : message.type === "replay_ended" ? NOT_SOON_MS : undefined
