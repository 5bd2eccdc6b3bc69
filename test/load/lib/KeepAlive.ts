// Owns one client of a load: a keep-alive connection over a raw socket with one request in flight. The next request is
// sent as soon as a response is complete.
import { connect, type Socket } from "node:net"
import { monotonicUs } from "./monotonic.ts"

/** A response. `head` and `body` are valid only during the call that passes it. */
export interface Received {
  readonly status: number
  readonly head: string
  readonly body: Buffer
  /** Head and body. */
  readonly bytes: number
  readonly latencyUs: number
}

export interface Requests {
  /** Returns the next request. Undefined: no more requests. "wait": none now, `wake` calls it again. */
  readonly next: () => Buffer | "wait" | undefined
  readonly received: (answer: Received) => void
}

export class KeepAlive {
  readonly #socket: Socket
  readonly #requests: Requests
  #sentAt = 0
  #stopped = false
  #waits = false
  #chunks: Array<Buffer> = []
  #head = ""
  #missing = 0

  constructor(port: number, requests: Requests) {
    this.#requests = requests
    this.#socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => this.#send())
    this.#socket.on("data", (chunk) => this.#arrived(chunk))
    this.#socket.on("close", () => {
      if (!this.#stopped) throw new Error("The server closed a connection under load")
    })
  }

  get isStopped(): boolean {
    return this.#stopped
  }

  /** Continues if `next` returned "wait". */
  wake(): void {
    if (this.#waits && !this.#stopped) this.#send()
  }

  stop(): void {
    this.#stopped = true
    this.#socket.destroy()
  }

  #send(): void {
    const request = this.#requests.next()
    this.#waits = request === "wait"
    if (request === "wait") return
    if (request === undefined) {
      this.stop()
      return
    }
    this.#sentAt = monotonicUs()
    this.#socket.write(request)
  }

  #arrived(chunk: Buffer): void {
    if (this.#chunks.length === 0) {
      this.#head = headOf(chunk)
      this.#missing = lengthOf(this.#head)
    }
    this.#chunks.push(chunk)
    this.#missing -= chunk.length
    if (this.#missing > 0) return
    if (this.#missing < 0) throw new Error("Received more than one response to one request")
    const latencyUs = monotonicUs() - this.#sentAt
    const whole = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks)
    const head = this.#head
    this.#chunks = []
    this.#requests.received({ status: Number(head.slice(9, 12)), head, body: whole.subarray(head.length), bytes: whole.length, latencyUs })
    if (!this.#stopped) this.#send()
  }
}

/** Returns the response head including its empty line. */
const headOf = (chunk: Buffer): string => {
  const end = chunk.indexOf("\r\n\r\n")
  if (end === -1) throw new Error(`Unexpected response: ${chunk.toString("utf8", 0, 1_000)}`)
  return chunk.toString("latin1", 0, end + 4)
}

/** Returns the length of the whole response. A 304 has no body, whatever its head states. */
const lengthOf = (head: string): number => {
  const length = head.startsWith("HTTP/1.1 304") ? "0" : /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error(`A response without a length: ${head}`)
  return head.length + Number(length)
}
