/**
 * A client's WebSocket. A class, because an object with three fields takes less memory for an idle client than one
 * closure per method.
 */
import { closeCodes } from "@matchpoint/contracts/stream/closeCodes"
import type { ControlMessage, StreamError } from "@matchpoint/contracts/stream/messages"
import { positionBefore } from "@matchpoint/contracts/stream/wire"
import type { Channel } from "@matchpoint/realtime/Channel"
import type { Frame } from "@matchpoint/realtime/Frame"
import type { FrameKind } from "@matchpoint/realtime/sseEvents"
import type { WebSocketConnection } from "@matchpoint/uws/WebSocketConnection"
import { type Closing, type Outlet, PAUSE_AT_SHARE } from "./Outlet.ts"
import { ReadProgress } from "./ReadProgress.ts"

export class SocketOutlet implements Outlet {
  readonly reading = new ReadProgress()
  readonly #connection: WebSocketConnection<unknown>
  readonly #limit: number

  /** `limit` in unsent bytes. */
  constructor(connection: WebSocketConnection<unknown>, limit: number) {
    this.#connection = connection
    this.#limit = limit
  }

  get knowsSnapshots(): boolean {
    return true
  }

  get closed(): boolean {
    return this.#connection.closed
  }

  get unsentBytes(): number {
    return this.#connection.bufferedBytes()
  }

  frame(_kind: FrameKind, _frame: Frame, bytes: Uint8Array): void {
    this.#connection.send(bytes)
  }

  sendControl(message: ControlMessage): boolean {
    return this.#connection.send(JSON.stringify(message)) !== "dropped"
  }

  join(channel: Channel): void {
    channel.sockets += 1
    this.#connection.subscribe(channel.topic)
  }

  leave(channel: Channel): void {
    channel.sockets -= 1
    this.#connection.unsubscribe(channel.topic)
  }

  hasRoom(): boolean {
    return !this.closed && this.unsentBytes < this.#limit * PAUSE_AT_SHARE
  }

  ping(): void {
    this.#connection.ping()
  }

  end({ code, reason }: Closing, last?: StreamError): void {
    if (last !== undefined) this.sendControl(last)
    this.#connection.end(code, reason)
  }

  endSlow(): void {
    this.end(closeCodes.slowConsumer)
  }

  cut(): void {
    this.#connection.cut()
  }

  positionBefore(skipped: Uint8Array): number | undefined {
    return positionBefore(skipped)
  }
}
