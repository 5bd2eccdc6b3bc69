/** One WebSocket connection over a plain TCP socket: handshake, text messages, pings. It parses no more than it must. */
import { connect, type Socket } from "node:net"
import { MessageHeads } from "../../../load/resume/MessageHeads.ts"

const [TEXT, CLOSE, PING, PONG] = [1, 8, 9, 10] as const
const HEAD_END = "\r\n\r\n"
/** Longer messages are snapshots and heartbeats of many matches, of which the first bytes are enough. */
const LONGEST_TEXT = 64 * 1024
const CONNECT_WITHIN_MS = 10_000

/** Shared by all sockets: each read is consumed before the next one starts. */
const readBuffer = Buffer.alloc(256 * 1024)

export interface SocketEvents {
  readonly onOpen: () => void
  /** The first 64 KB of a text message, in Latin-1. */
  readonly onText: (text: string) => void
  /** Called once. `retryAfterMs` is that of a refused handshake. */
  readonly onEnd: (reason: string, retryAfterMs: number) => void
}

export interface SocketTarget {
  readonly port: number
  /** Address of this end. Clients have different ones, because a gateway limits handshakes per address. */
  readonly localAddress: string
  readonly path: string
  readonly key: string
}

export class RawSocket {
  readonly #socket: Socket
  readonly #events: SocketEvents
  #response: Buffer | undefined = Buffer.alloc(0)
  #ended = false
  #closeCode: number | undefined

  constructor({ key, localAddress, path, port }: SocketTarget, events: SocketEvents) {
    this.#events = events
    const messages = new MessageHeads((opcode, text) => this.#message(opcode, text), LONGEST_TEXT)
    this.#socket = connect({
      host: "127.0.0.1",
      port,
      localAddress,
      noDelay: true,
      onread: {
        buffer: readBuffer,
        callback: (length) => {
          if (this.#response === undefined) messages.read(readBuffer, length)
          else this.#handshake(readBuffer.subarray(0, length), messages)
          return true
        },
      },
    })
    const request = `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${key}\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ZmF1bHQtaGFybmVzcy1rZXk=\r\n\r\n`
    const timer = setTimeout(() => this.#end("the handshake was not answered"), CONNECT_WITHIN_MS)
    this.#socket.once("connect", () => this.#socket.write(request))
    this.#socket.once("error", (error) => this.#end("code" in error ? String(error.code) : error.message))
    this.#socket.once("close", () => {
      clearTimeout(timer)
      this.#end(this.#closeCode === undefined ? "1006" : String(this.#closeCode))
    })
    this.#stopTimer = () => clearTimeout(timer)
  }

  readonly #stopTimer: () => void

  /** Sends a text message of at most 64 KB. */
  send(text: string): void {
    this.#frame(TEXT, Buffer.from(text, "utf8"))
  }

  /** Ends the connection. `onEnd` is not called. */
  close(): void {
    this.#ended = true
    this.#stopTimer()
    this.#socket.destroy()
  }

  #handshake(chunk: Buffer, messages: MessageHeads): void {
    const response = Buffer.concat([this.#response ?? Buffer.alloc(0), chunk])
    this.#response = response
    const end = response.indexOf(HEAD_END)
    if (end === -1) return
    const head = response.toString("latin1", 0, end)
    const status = head.slice(9, 12)
    if (status !== "101") {
      const retryAfter = /\r\nretry-after: *([0-9]+)/i.exec(head)?.[1]
      this.#end(`status ${status}`, retryAfter === undefined ? 0 : Number(retryAfter) * 1_000)
      return
    }
    this.#stopTimer()
    this.#response = undefined
    this.#events.onOpen()
    const rest = Buffer.from(response.subarray(end + HEAD_END.length))
    messages.read(rest, rest.length)
  }

  #message(opcode: number, text: string): void {
    if (this.#ended) return
    if (opcode === TEXT) this.#events.onText(text)
    else if (opcode === PING) this.#frame(PONG, Buffer.from(text, "latin1"))
    else if (opcode === CLOSE) {
      this.#closeCode = text.length >= 2 ? text.charCodeAt(0) * 256 + text.charCodeAt(1) : 1005
      this.#socket.end()
    }
  }

  /** Sends a frame masked with a key of zeros, which leaves the payload unchanged. Clients must mask. */
  #frame(opcode: number, payload: Buffer): void {
    const { length } = payload
    const head = length < 126 ? [0x80 | length] : [0x80 | 126, length >> 8, length & 0xff]
    if (!this.#socket.destroyed) this.#socket.write(Buffer.concat([Buffer.from([0x80 | opcode, ...head, 0, 0, 0, 0]), payload]))
  }

  #end(reason: string, retryAfterMs = 0): void {
    if (this.#ended) return
    this.#ended = true
    this.#stopTimer()
    this.#socket.destroy()
    this.#events.onEnd(reason, retryAfterMs)
  }
}
