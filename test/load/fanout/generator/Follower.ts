// Owns one client: a raw TCP connection that follows the match and counts its frames.
import { connect, type Socket } from "node:net"
import type { Deliveries } from "./Deliveries.ts"
import type { Dialect } from "./dialects.ts"
import { FrameReader, httpChunkHead, webSocketHead } from "./FrameReader.ts"

export interface FollowerOptions {
  readonly port: number
  readonly dialect: Dialect
  /** Units of at least this size count as frames. */
  readonly frameBytes: number
  readonly deliveries: Deliveries
  /** Whether the latencies of its frames are measured. */
  readonly sampled: boolean
  /** If true, it follows the room and never reads what it gets: it stops reading once it has asked for the room. */
  readonly stalls?: boolean
}

const TEXT = 1
const CLOSE = 8
const PING = 9
const HEAD_END = "\r\n\r\n"

/** Shared by all sockets: each read is consumed before the next one starts. */
const readBuffer = Buffer.alloc(64 * 1024)

export class Follower {
  /** Frames since the measured period started. */
  received = 0
  /** Reason for the end of the connection, if it has ended. */
  ended: string | undefined
  readonly #options: FollowerOptions
  readonly #socket: Socket
  readonly #reader: FrameReader
  readonly #settle: (problem?: Error) => void
  #hasAsked = false
  /** Bytes received before the response head was complete. Undefined from then on. */
  #responseHead: Buffer | undefined = Buffer.alloc(0)

  private constructor(options: FollowerOptions, settle: (problem?: Error) => void) {
    this.#options = options
    this.#settle = settle
    const head = options.dialect.transport === "websocket" ? webSocketHead : httpChunkHead
    this.#reader = new FrameReader(head, (opcode, length, chunk, end) => this.#unit(opcode, length, chunk, end))
    this.#socket = connect({
      host: "127.0.0.1",
      port: options.port,
      noDelay: true,
      onread: {
        buffer: readBuffer,
        callback: (length) => {
          if (this.#responseHead === undefined) this.#reader.read(readBuffer, length)
          else this.#head(this.#responseHead, readBuffer.subarray(0, length))
          return true
        },
      },
    })
    this.#socket.on("connect", () => this.#socket.write(request(options)))
    this.#socket.on("error", (error) => this.#end(error.message))
    this.#socket.on("close", () => this.#end("the server closed the connection"))
  }

  /** Connects. Resolves once frames can arrive. */
  static follow(options: FollowerOptions): Promise<Follower> {
    return new Promise((resolve, reject) => {
      const follower: Follower = new Follower(options, (problem) => (problem === undefined ? resolve(follower) : reject(problem)))
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  /**
   * Sends a ping once, soon after a frame. From then on, Linux treats the connection as one with traffic in both directions
   * and delays its acknowledgments, which makes a send about a third more expensive. Every client of a real server gets
   * there with the first ping that it answers, but within the rounds of a measurement only those of some servers would.
   */
  #ask(): void {
    if (this.#hasAsked || this.#options.dialect.transport !== "websocket") return
    this.#hasAsked = true
    this.#socket.write(clientFrame(PING, ""))
  }

  /** Stops reading. Arriving data fills the kernel's buffers. */
  #stall(): void {
    this.#socket.pause()
    this.#settle()
  }

  #end(reason: string): void {
    this.ended ??= reason
    this.#settle(new Error(`A follower could not connect: ${this.ended}`))
  }

  #head(before: Buffer, chunk: Buffer): void {
    const received = Buffer.concat([before, chunk])
    const end = received.indexOf(HEAD_END)
    this.#responseHead = received
    if (end === -1) return
    const expected = this.#options.dialect.transport === "websocket" ? "HTTP/1.1 101" : "HTTP/1.1 200"
    if (!received.toString("latin1").startsWith(expected)) {
      this.#end(`unexpected response ${JSON.stringify(received.toString())}`)
      return
    }
    this.#responseHead = undefined
    const { dialect, stalls = false } = this.#options
    // A stream follows from the request on.
    if (stalls && dialect.transport === "sse") {
      this.#stall()
      return
    }
    if (dialect.following === undefined) this.#settle()
    const rest = received.subarray(end + HEAD_END.length)
    this.#reader.read(rest, rest.length)
  }

  #unit(opcode: number, length: number, chunk: Buffer, end: number): void {
    const { frameBytes, deliveries, sampled, dialect } = this.#options
    if (length >= frameBytes && opcode === TEXT) {
      deliveries.take(this.received++, sampled)
      this.#ask()
      return
    }
    // Small messages arrive whole: they are written at once and are far shorter than a segment on loopback.
    const message = chunk.toString("latin1", Math.max(0, end - length), end)
    if (opcode === TEXT) {
      const reply = dialect.reply(message)
      if (reply !== undefined) {
        this.#socket.write(clientFrame(TEXT, reply))
        if (this.#options.stalls === true) {
          this.#stall()
          return
        }
      }
      if (dialect.following?.(message) === true) this.#settle()
    } else if (opcode === PING) this.#socket.write(clientFrame(PONG, message))
    else if (opcode === CLOSE) this.#end(`close frame ${chunk.readUInt16BE(end - length)}`)
  }
}

const PONG = 10

const request = ({ dialect }: FollowerOptions): string => {
  const upgrade = {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "bWVhc3VyZWQgZmFuLW91dA==",
  }
  const headers = { host: "127.0.0.1", ...(dialect.transport === "websocket" ? upgrade : {}), ...dialect.headers }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `GET ${dialect.path} HTTP/1.1\r\n${lines.join("")}\r\n`
}

/**
 * Builds a frame masked with a key of zeros, which leaves the payload unchanged. Clients must mask. For payloads of up
 * to 125 bytes.
 */
const clientFrame = (opcode: number, text: string): Buffer => {
  const payload = Buffer.from(text, "latin1")
  if (payload.length > 125) throw new Error("The payload exceeds 125 bytes")
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length, 0, 0, 0, 0]), payload])
}
