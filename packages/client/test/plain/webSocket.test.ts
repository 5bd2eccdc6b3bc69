/** Closing a WebSocket in each of its states, against a socket that the test controls. */
import { afterEach, assert, it } from "@effect/vitest"
import { vi } from "vitest"
import { CONNECTING, OPEN, type WebSocketLike } from "../../src/openWebSocket.ts"
import { makeHttp } from "../../src/plain/Http.ts"
import { Inbox } from "../../src/plain/Inbox.ts"
import { platformTiming } from "../../src/plain/Timing.ts"
import { webSocket } from "../../src/plain/webSocket.ts"

/** An event with the fields of every type. */
const emptyEvent: { readonly data: unknown; readonly code: number; readonly reason: string } = { data: undefined, code: 1006, reason: "" }

/** Records the codes it is closed with. */
class TestSocket implements WebSocketLike {
  readyState = CONNECTING
  readonly closed: Array<number | undefined> = []
  readonly #listeners: Array<[string, () => void]> = []

  send(): void {}

  close(code?: number): void {
    this.closed.push(code)
  }

  addEventListener(type: string, listener: (event: typeof emptyEvent) => void): void {
    this.#listeners.push([type, () => listener(emptyEvent)])
  }

  emit(event: "open" | "error"): void {
    for (const [type, listener] of this.#listeners) if (type === event) listener()
  }

  open(): void {
    this.readyState = OPEN
    this.emit("open")
  }
}

afterEach(() => {
  vi.unstubAllGlobals()
})

const connect = (http = makeHttp("http://localhost/api/v1", "key")) => {
  const socket = new TestSocket()
  const line = webSocket({ http, timing: platformTiming, webSocket: () => socket }, new URL("ws://localhost/")).connect(
    new Inbox(),
    undefined,
  )
  return { line, socket }
}

it("closes an open socket at once", () => {
  const { line, socket } = connect()
  socket.open()
  line.close()
  assert.deepStrictEqual(socket.closed, [1000])
})

it("closes a socket during its handshake at once, so that an unanswered one does not stay", () => {
  const { line, socket } = connect()
  line.close()
  assert.deepStrictEqual(socket.closed, [1000])
})

it("closes a socket during its handshake only when it has opened, in a browser", () => {
  vi.stubGlobal("document", {})
  const { line, socket } = connect()
  line.close()
  assert.deepStrictEqual(socket.closed, [])
  socket.open()
  assert.deepStrictEqual(socket.closed, [1000])
})

it("ends the request for the reason of a failed handshake when it is closed", () => {
  const signals: Array<AbortSignal> = []
  const { line, socket } = connect({
    root: "http://localhost/api/v1",
    apiKey: "key",
    get: (_, { signal }) => {
      signals.push(signal)
      return new Promise(() => {})
    },
  })
  socket.emit("error")
  socket.emit("error")
  assert.deepStrictEqual(
    signals.map(({ aborted }) => aborted),
    [false],
  )
  line.close()
  assert.isTrue(signals[0]?.aborted)
})
