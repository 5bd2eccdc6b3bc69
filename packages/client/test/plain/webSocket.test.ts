/** Closing a WebSocket in each of its states, against a socket that the test controls. */
import { assert, it } from "@effect/vitest"
import { CONNECTING, OPEN, type WebSocketLike } from "../../src/openWebSocket.ts"
import { makeHttp } from "../../src/plain/Http.ts"
import { Inbox } from "../../src/plain/Inbox.ts"
import { webSocket } from "../../src/plain/webSocket.ts"

/** Records the codes it is closed with. */
class TestSocket implements WebSocketLike {
  readyState = CONNECTING
  readonly closed: Array<number | undefined> = []
  readonly #opened: Array<() => void> = []

  send(): void {}

  close(code?: number): void {
    this.closed.push(code)
  }

  addEventListener(type: string, listener: (event: never) => void): void {
    if (type === "open") this.#opened.push(() => listener(undefined as never))
  }

  open(): void {
    this.readyState = OPEN
    for (const listener of this.#opened) listener()
  }
}

const connect = () => {
  const socket = new TestSocket()
  const http = makeHttp("http://localhost/api/v1", "key")
  const line = webSocket(http, new URL("ws://localhost/"), () => socket).connect(new Inbox(), undefined)
  return { line, socket }
}

it("closes an open socket at once", () => {
  const { line, socket } = connect()
  socket.open()
  line.close()
  assert.deepStrictEqual(socket.closed, [1000])
})

it("closes a socket during its handshake only when it has opened", () => {
  const { line, socket } = connect()
  line.close()
  assert.deepStrictEqual(socket.closed, [])
  socket.open()
  assert.deepStrictEqual(socket.closed, [1000])
})
