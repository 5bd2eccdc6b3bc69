// Owns one client: it follows a room, keeps its transcript over all its connections, and resumes with its cursor.
import { connect, type Socket } from "node:net"
import { API_ROOT } from "@matchpoint/contracts/http/apiRoot"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import { ALL } from "@matchpoint/contracts/stream/rooms"
import { SOCKET_PATH } from "@matchpoint/cs2/contract/http/streamPaths"
import { apiKey } from "../lib/apiKey.ts"
import { MessageHeads } from "./MessageHeads.ts"
import { Transcript } from "./Transcript.ts"

const TEXT = 1
const CLOSE = 8
const PING = 9
const PONG = 10
const HEAD_END = "\r\n\r\n"

/** Shared by all sockets: each read is consumed before the next one starts. */
const readBuffer = Buffer.alloc(256 * 1024)

const request = `GET ${API_ROOT}${SOCKET_PATH} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${apiKey}\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: bWVhc3VyZWQgZmFuLW91dA==\r\n\r\n`

export class Client {
  readonly transcript = new Transcript()
  readonly #port: number
  readonly #room: string
  readonly #shape: Shape
  #socket: Socket | undefined

  constructor(port: number, room: string, shape: Shape) {
    this.#port = port
    this.#room = room
    this.#shape = shape
  }

  /** Resolves once the client has caught up. Fails if the connection ends before. */
  follow(): Promise<void> {
    return new Promise((resolve, reject) => {
      const { transcript } = this
      transcript.resuming = transcript.cursor !== undefined
      let responseHead: Buffer | undefined = Buffer.alloc(0)
      const heads = new MessageHeads((opcode, head) => {
        if (opcode === TEXT) {
          const type = transcript.take(head)
          if (type === "ready") this.#sendFrame(TEXT, this.#subscribe())
          else if (type === "caught_up") resolve()
          else if (type === "error") reject(new Error(head))
        } else if (opcode === PING) this.#sendFrame(PONG, head)
        else if (opcode === CLOSE) reject(new Error("closed by the server"))
      })
      const socket = connect({
        host: "127.0.0.1",
        port: this.#port,
        noDelay: true,
        onread: {
          buffer: readBuffer,
          callback: (length) => {
            if (responseHead === undefined) {
              heads.read(readBuffer, length)
              return true
            }
            responseHead = Buffer.concat([responseHead, readBuffer.subarray(0, length)])
            const end = responseHead.indexOf(HEAD_END)
            if (end === -1) return true
            if (!responseHead.toString("latin1", 0, 12).startsWith("HTTP/1.1 101")) {
              reject(new Error(responseHead.toString("latin1")))
              return true
            }
            const rest = responseHead.subarray(end + HEAD_END.length)
            responseHead = undefined
            heads.read(rest, rest.length)
            return true
          },
        },
      })
      this.#socket = socket
      socket.on("connect", () => socket.write(request))
      socket.on("error", reject)
      socket.on("close", () => reject(new Error("the connection ended")))
    })
  }

  /** Resets the connection, as a network failure does. */
  cut(): void {
    this.#socket?.resetAndDestroy()
    this.#socket = undefined
  }

  #subscribe(): string {
    const { cursor } = this.transcript
    const resume = cursor === undefined ? {} : { resume: { [this.#room]: this.#room === ALL ? cursor : { ...cursor } } }
    return JSON.stringify({ action: "subscribe", rooms: [this.#room], shape: this.#shape, ...resume })
  }

  /** Sends a frame masked with a key of zeros, which leaves the payload unchanged. Clients must mask. */
  #sendFrame(opcode: number, text: string): void {
    const payload = Buffer.from(text, "latin1")
    const head = payload.length < 126 ? [0x80 | payload.length] : [0x80 | 126, payload.length >> 8, payload.length & 0xff]
    this.#socket?.write(Buffer.concat([Buffer.from([0x80 | opcode, ...head, 0, 0, 0, 0]), payload]))
  }
}
