// A native WebSocket as Effect's `Socket`, for applications that upgrade inside an HTTP handler, such as RPC. To send
// to thousands of clients, use `UwsServer.websocket`, which costs much less per socket.

import type { WebSocket, WebSocketBehavior } from "uWebSockets.js"
import { Cause, Effect, Exit } from "effect"
import { Socket } from "effect/socket"
import { BeforeMessage } from "../BeforeMessage.ts"

export interface UpgradedSocketData {
  upgraded: UpgradedSocket
}

/** Unread bytes above which reading fails, because the native library cannot pause a WebSocket. */
export const upgradedHighWaterMark = 1024 * 1024

const MAX_MESSAGE_BYTES = 1024 * 1024

/** Unread messages. Each takes about a hundred bytes more than its text, and a turn of the event loop. */
export const maxUnreadMessages = 10_000

export const upgradedSocketBehavior: Omit<WebSocketBehavior<UpgradedSocketData>, "upgrade"> = {
  // Above this size, the native library closes without a close frame. Above the lower limit `MAX_MESSAGE_BYTES`,
  // `received` sends one.
  maxPayloadLength: 2 * MAX_MESSAGE_BYTES,
  maxBackpressure: 1024 * 1024,
  open: (socket) => socket.getUserData().upgraded.opened(socket),
  message: (socket, data, isBinary) => socket.getUserData().upgraded.received(data, isBinary),
  close: (socket, code, reason) => socket.getUserData().upgraded.ended(code, Buffer.from(reason).toString()),
}

type Listener = Parameters<Socket.WebSocketLike["addEventListener"]>[1]

/** A WebSocket with the interface that browsers have, as `Socket.fromWebSocket` expects. */
export class UpgradedSocket implements Socket.WebSocketLike {
  readyState = 0
  #native: WebSocket<UpgradedSocketData> | undefined
  readonly #listeners = new Map<string, Set<Listener>>()
  #unreadMessages = 0

  addEventListener(type: string, listener: Listener): void {
    const listeners = this.#listeners.get(type)
    if (listeners === undefined) this.#listeners.set(type, new Set([listener]))
    else listeners.add(listener)
  }

  removeEventListener(type: string, listener: Listener): void {
    this.#listeners.get(type)?.delete(listener)
  }

  send(data: string | Uint8Array): void {
    // As in browsers, what is sent after the end is dropped. An application may answer many messages of a client that
    // has left, and an error for each would cost far more than the answers.
    if (this.#native === undefined) return
    if (this.#native.send(data, typeof data !== "string") !== 2) return
    // This message is lost, and the client would not notice the loss if the socket stayed open.
    this.#native.close()
    throw new Error("The peer reads too slowly: its buffer exceeds the limit")
  }

  close(code = 1000, reason = ""): void {
    if (this.readyState === 1) this.readyState = 2
    this.#native?.end(code, reason)
  }

  opened(native: WebSocket<UpgradedSocketData>): void {
    this.#native = native
    this.readyState = 1
    this.#emit("open", {})
  }

  received(data: ArrayBuffer, isBinary: boolean): void {
    if (this.readyState !== 1) return
    if (data.byteLength > MAX_MESSAGE_BYTES) {
      this.close(1009, "message too big")
      return
    }
    this.#unreadMessages += 1
    if (this.#unreadMessages > maxUnreadMessages) {
      this.close(1008, "too many messages are waiting to be read")
      return
    }
    // The native buffer becomes invalid when this callback returns.
    this.#emit("message", { data: isBinary ? new Uint8Array(data.slice(0)) : Buffer.from(data).toString() })
  }

  messageRead(): void {
    this.#unreadMessages -= 1
  }

  ended(code: number, reason: string): void {
    this.#native = undefined
    this.readyState = 3
    this.#emit("close", { code, reason })
  }

  #emit(type: string, event: Parameters<Listener>[0]): void {
    const listeners = this.#listeners.get(type)
    if (listeners !== undefined) for (const listener of [...listeners]) listener(event)
  }
}

/** `upgrade` is called once, when the application starts reading, and performs the handshake. */
export const makeUpgradedSocket = (upgrade: (socket: UpgradedSocket) => boolean): Effect.Effect<Socket.Socket> => {
  const socket = new UpgradedSocket()
  return Effect.map(
    Socket.fromWebSocket(
      Effect.acquireRelease(
        Effect.suspend(
          (): Effect.Effect<UpgradedSocket, Socket.SocketError> => (upgrade(socket) ? Effect.succeed(socket) : Effect.fail(openError)),
        ),
        (_, exit) => Effect.sync(() => socket.close(closeCode(exit))),
      ),
      { highWaterMark: upgradedHighWaterMark },
    ),
    (whole) => oneByOne(whole, () => socket.messageRead()),
  )
}

/** Delivers one message per turn of the event loop, so that a client that sends many does not delay the others. */
const oneByOne = (socket: Socket.Socket, onRead: () => void): Socket.Socket =>
  Socket.make({
    writer: socket.writer,
    reader: Effect.map(socket.reader, ({ pull, upgrade }): Socket.Reader => {
      let waiting: ReadonlyArray<Uint8Array | string> = []
      let read = 0
      const next: Socket.Reader["pull"] = Effect.suspend(() => {
        const message = waiting[read]
        if (message === undefined) {
          return Effect.flatMap(pull, (messages) => {
            waiting = messages
            read = 0
            return next
          })
        }
        read += 1
        onRead()
        return Effect.flatMap(BeforeMessage, (ready) => Effect.as(ready, [message] as const))
      })
      return { pull: next, upgrade }
    }),
  })

const openError = new Socket.SocketError({
  reason: new Socket.SocketOpenError({
    kind: "Unknown",
    cause: new Error("The request cannot be upgraded: it was already answered or upgraded, or its client has left"),
  }),
})

const closeCode = (exit: Exit.Exit<unknown, unknown>): number =>
  Exit.isSuccess(exit) ? 1000 : Cause.hasInterruptsOnly(exit.cause) ? 1001 : 1011
