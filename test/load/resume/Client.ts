// Owns one client of the crowd: it follows a room, keeps its transcript over all its connections, and comes back with its cursor.
import { connect, type Socket } from "node:net"
import { SOCKET_PATH } from "@matchpoint/contracts/http/cs2/streamPaths"
import { API_ROOT } from "@matchpoint/contracts/http/MatchpointApi"
import type { Shape } from "@matchpoint/contracts/stream/frames"
import { ALL } from "@matchpoint/contracts/stream/rooms"
import { apiKey } from "../lib/apiKey.ts"
import { MessageHeads } from "./MessageHeads.ts"
import { Transcript } from "./Transcript.ts"

const TEXT = 1
const CLOSE = 8
const PING = 9
const PONG = 10
const HEAD_END = "\r\n\r\n"

/** One for all: a read is used up before the next one starts. */
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

  /** Resolves when it has caught up. Fails when the connection ends before. */
  follow(): Promise<void> {
    return new Promise((resolve, reject) => {
      const { transcript } = this
      transcript.resuming = transcript.cursor !== undefined
      let responseHead: Buffer | undefined = Buffer.alloc(0)
      const heads = new MessageHeads((opcode, head) => {
        if (opcode === TEXT) {
          const type = transcript.take(head)
          if (type === "ready") this.#send(TEXT, this.#subscribe())
          else if (type === "caught_up") resolve()
          else if (type === "error") reject(new Error(head))
        } else if (opcode === PING) this.#send(PONG, head)
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

  /** As a network does that is gone. */
  cut(): void {
    this.#socket?.resetAndDestroy()
    this.#socket = undefined
  }

  #subscribe(): string {
    const { cursor } = this.transcript
    const resume = cursor === undefined ? {} : { resume: { [this.#room]: this.#room === ALL ? cursor : { ...cursor } } }
    return JSON.stringify({ action: "subscribe", rooms: [this.#room], shape: this.#shape, ...resume })
  }

  /** Masked as clients must, with a key of zeros, which leaves the payload as it is. */
  #send(opcode: number, text: string): void {
    const payload = Buffer.from(text, "latin1")
    const head = payload.length < 126 ? [0x80 | payload.length] : [0x80 | 126, payload.length >> 8, payload.length & 0xff]
    this.#socket?.write(Buffer.concat([Buffer.from([0x80 | opcode, ...head, 0, 0, 0, 0]), payload]))
  }
}
